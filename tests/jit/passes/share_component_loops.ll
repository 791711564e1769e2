; Loops over the components of two matrices do the same, and become one function. Nobody has the third one's.
; passes: share-component-loops
; isa: reference
; expect-count: 2 call void @shared_code
; expect-count: 1 = fmul
; expect-count: 1 = fadd
; expect-count: 1 define internal void @shared_code
declare !tessera.matrix !{!"load", i32 4, i32 16, i32 16, i32 0} <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr, i64, i64) memory(argmem: read) nounwind willreturn
declare !tessera.matrix !{!"store", i32 4, i32 16, i32 16, i32 0} void @tessera.matrix.store.v256float.16.16.0(<256 x float>, ptr, i64, i64) memory(argmem: write) nounwind willreturn
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %m0 = alloca <256 x float>
  %m1 = alloca <256 x float>
  %m2 = alloca <256 x float>
  %i0 = call <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr %d, i64 64, i64 -1)
  store <256 x float> %i0, ptr %m0
  %i1 = call <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr %d, i64 64, i64 -1)
  store <256 x float> %i1, ptr %m1
  %i2 = call <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr %d, i64 64, i64 -1)
  store <256 x float> %i2, ptr %m2
  br label %before0
before0:
  br label %l0
l0:
  %c0 = phi i64 [ 0, %before0 ], [ %c01, %l0 ]
  %offset0 = shl i64 %c0, 7
  %part0 = getelementptr i8, ptr %m0, i64 %offset0
  %v0 = load <32 x float>, ptr %part0
  %w0 = fmul <32 x float> %v0, %v0
  store <32 x float> %w0, ptr %part0
  %c01 = add i64 %c0, 1
  %more0 = icmp ult i64 %c01, 8
  br i1 %more0, label %l0, label %before1, !llvm.loop !0
before1:
  br label %l1
l1:
  %c1 = phi i64 [ 0, %before1 ], [ %c11, %l1 ]
  %offset1 = shl i64 %c1, 7
  %part1 = getelementptr i8, ptr %m1, i64 %offset1
  %v1 = load <32 x float>, ptr %part1
  %w1 = fmul <32 x float> %v1, %v1
  store <32 x float> %w1, ptr %part1
  %c11 = add i64 %c1, 1
  %more1 = icmp ult i64 %c11, 8
  br i1 %more1, label %l1, label %before2, !llvm.loop !1
before2:
  br label %l2
l2:
  %c2 = phi i64 [ 0, %before2 ], [ %c21, %l2 ]
  %offset2 = shl i64 %c2, 7
  %part2 = getelementptr i8, ptr %m2, i64 %offset2
  %v2 = load <32 x float>, ptr %part2
  %w2 = fadd <32 x float> %v2, %v2
  store <32 x float> %w2, ptr %part2
  %c21 = add i64 %c2, 1
  %more2 = icmp ult i64 %c21, 8
  br i1 %more2, label %l2, label %exit, !llvm.loop !2
exit:
  %o0 = load <256 x float>, ptr %m0
  call void @tessera.matrix.store.v256float.16.16.0(<256 x float> %o0, ptr %d, i64 64, i64 -1)
  %o1 = load <256 x float>, ptr %m1
  call void @tessera.matrix.store.v256float.16.16.0(<256 x float> %o1, ptr %d, i64 64, i64 -1)
  %o2 = load <256 x float>, ptr %m2
  call void @tessera.matrix.store.v256float.16.16.0(<256 x float> %o2, ptr %d, i64 64, i64 -1)
  ret void
}
!0 = distinct !{!0, !3}
!1 = distinct !{!1, !3}
!2 = distinct !{!2, !3}
!3 = !{!"tessera.component_loop"}
