; Passes over gathers and divisions that find nothing to do say so: promote-arrays, which runs only on changed functions
; after promote, does not make one of two equal shifts.
; passes: promote, divide-by-constants, strided-accesses, contiguous-accesses, widen-small-gathers, promote-arrays
; isa: avx512
; expect-count: 2 = shl i32 %x, 1
; expect: call <8 x i32> @llvm\.masked\.gather
; expect: fdiv <8 x double>
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %double = add i32 %x, %x
  store volatile i32 %double, ptr %shared
  %shifted = shl i32 %x, 1
  store volatile i32 %shifted, ptr %shared
  %any = load <8 x i64>, ptr %frame
  %places = getelementptr i32, ptr %d, <8 x i64> %any
  %n = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %places, <8 x i1> splat (i1 true), <8 x i32> poison)
  %f = uitofp <8 x i32> %n to <8 x double>
  %quotients = fdiv <8 x double> %f, splat (double 2.5)
  %q = fptoui <8 x double> %quotients to <8 x i32>
  store <8 x i32> %q, ptr %shared
  ret void
}
