; Divisions stay by what is no integer, by a variable, and of floats with fewer digits than the integers have, which
; round some quotients up.
; passes: divide-by-constants
; isa: reference
; expect: fdiv <8 x double> %a.f, splat \(double 2\.5
; expect: fmul <8 x double> %b.f, splat \(double 7\.5
; expect: fdiv <8 x double> splat \(double 3\.0.*, %c.f
; expect: fdiv <8 x float> %d.f, splat \(float 3\.0
; expect-count: 4 = uitofp
; expect-count: 4 = fptoui
define internal void @subgroup(<8 x i32> %n, ptr %result) !tessera.function !{!"subgroup"} {
  %a.f = uitofp <8 x i32> %n to <8 x double>
  %a.d = fdiv <8 x double> %a.f, splat (double 2.5)
  %a = fptoui <8 x double> %a.d to <8 x i32>
  store <8 x i32> %a, ptr %result
  %b.f = uitofp <8 x i32> %n to <8 x double>
  %b.d = fmul <8 x double> %b.f, splat (double 0.75)
  %b = fptoui <8 x double> %b.d to <8 x i32>
  store <8 x i32> %b, ptr %result
  %c.f = uitofp <8 x i32> %n to <8 x double>
  %c.d = fdiv <8 x double> splat (double 3.0), %c.f
  %c = fptoui <8 x double> %c.d to <8 x i32>
  store <8 x i32> %c, ptr %result
  %d.f = uitofp <8 x i32> %n to <8 x float>
  %d.d = fdiv <8 x float> %d.f, splat (float 3.0)
  %d = fptoui <8 x float> %d.d to <8 x i32>
  store <8 x i32> %d, ptr %result
  ret void
}
