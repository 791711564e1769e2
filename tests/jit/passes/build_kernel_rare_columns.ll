; Accesses of lanes far apart that only run where a test fails do not keep workgroups from running in rows.
; passes: build-workgroup-kernel
; isa: avx512
; expect: workgroup\.start:
declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, <8 x i1>, <8 x float>)
define internal void @subgroup(ptr %dispatch, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %memory = load ptr, ptr %dispatch
  %row = shl i32 %stream, 10
  %column = shl i32 %x, 4
  %at = add i32 %row, %column
  %p = getelementptr float, ptr %memory, i32 %at
  %q = getelementptr float, ptr %p, <8 x i64> <i64 0, i64 512, i64 1024, i64 1536, i64 2048, i64 2560, i64 3072, i64 3584>
  %v = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %q, <8 x i1> splat (i1 true), <8 x float> zeroinitializer), !tessera.behind_test !3
  store <8 x float> %v, ptr %p
  ret void
}
!tessera.kernel = !{!0, !1, !2}
!3 = !{}
!0 = !{!"lanes", i64 32}
!1 = !{!"streams", i64 8}
!2 = !{!"rows", i64 16}
