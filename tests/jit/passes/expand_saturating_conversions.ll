; Vectors of floats become integers as a whole, where LLVM would convert element by element: clamped, converted, and
; what is beyond the greatest, or no number, chosen. A scalar stays.
; passes: expand-saturating-conversions
; isa: avx512
; expect-count: 1 fptosi <8 x float>
; expect-count: 1 fptoui <8 x float>
; expect-count: 1 fptosi <8 x double>
; expect-count: 1 fpext <8 x half> %h to <8 x float>
; expect-count: 1 call i32 @llvm\.fptosi\.sat\.i32\.f32
; expect: %.* = fcmp ogt <8 x float> %x, splat \(float (0xC1E0000000000000|f0xCF000000)\)
; expect: %.* = fcmp olt <8 x float> %.*, splat \(float (0x41DFFFFFE0000000|f0x4EFFFFFF)\)
; expect: fptosi <8 x float> %.* to <8 x i32>
; expect: select <8 x i1> %.*, <8 x i32> splat \(i32 2147483647\)
; expect: fcmp ord <8 x float> %x, %x
; expect: select <8 x i1> %.*, <8 x i32> %.*, <8 x i32> zeroinitializer
; expect: fcmp ogt <8 x float> %.*, zeroinitializer
; expect: fcmp olt <8 x float> %.*, splat \(float 6\.553500e\+04\)
; expect: fptoui <8 x float> %.* to <8 x i16>
; expect: fptosi <8 x double> %.* to <8 x i32>
declare <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float>)
declare <8 x i16> @llvm.fptoui.sat.v8i16.v8f16(<8 x half>)
declare <8 x i32> @llvm.fptosi.sat.v8i32.v8f64(<8 x double>)
declare i32 @llvm.fptosi.sat.i32.f32(float)
define internal void @subgroup(ptr %d, <8 x float> %x, <8 x half> %h, <8 x double> %y, float %s) !tessera.function !{!"subgroup"} {
  %a = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %x)
  store <8 x i32> %a, ptr %d
  %b = call <8 x i16> @llvm.fptoui.sat.v8i16.v8f16(<8 x half> %h)
  store <8 x i16> %b, ptr %d
  %c = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f64(<8 x double> %y)
  store <8 x i32> %c, ptr %d
  %e = call i32 @llvm.fptosi.sat.i32.f32(float %s)
  store i32 %e, ptr %d
  ret void
}
