; A path that is rarely taken leads from the copy for when all are live to what is under the mask, which has no copy
; and goes on under the mask. It gets the mask of both, and values of both.
; passes: run-full-regions, promote-arrays
; isa: avx2
; expect-count: 1 masked\.gather.*<8 x i1> splat \(i1 true\)
; expect-count: 1 masked\.gather.*<8 x i1> %live, .*!tessera\.behind_test
; expect-count: 1 call .*masked\.scatter.*!tessera\.behind_test
; expect: phi <8 x i1> \[ splat \(i1 true\), %body\.full \], \[ %live, %body \]
; expect: phi <8 x i8> \[ %v\.full, %body\.full \], \[ %v, %body \]
define internal void @subgroup(ptr %d, ptr %result, <8 x i32> %i, i32 %n, i1 %tested) !tessera.function !{!"subgroup"} {
entry:
  %buffer = load ptr, ptr %d
  %n1 = insertelement <8 x i32> poison, i32 %n, i64 0
  %ns = shufflevector <8 x i32> %n1, <8 x i32> poison, <8 x i32> zeroinitializer
  %live = icmp ult <8 x i32> %i, %ns
  %bits = bitcast <8 x i1> %live to i8
  %none = icmp eq i8 %bits, 0
  br i1 %none, label %exit, label %body
body:
  %p = getelementptr i8, ptr %buffer, <8 x i64> <i64 0, i64 3, i64 6, i64 9, i64 12, i64 15, i64 18, i64 21>
  %v = call <8 x i8> @llvm.masked.gather.v8i8.v8p0(<8 x ptr> align 1 %p, <8 x i1> %live, <8 x i8> zeroinitializer)
  br i1 %tested, label %often, label %rare, !prof !1
rare:
  call void @llvm.masked.scatter.v8i8.v8p0(<8 x i8> %v, <8 x ptr> align 1 %p, <8 x i1> %live)
  br label %joined
often:
  store <8 x i8> %v, ptr %result
  br label %joined
joined:
  %w = phi <8 x i8> [ %v, %often ], [ zeroinitializer, %rare ]
  %sum = add <8 x i8> %w, %v
  store <8 x i8> %sum, ptr %d
  br label %exit
exit:
  ret void
}
!1 = !{!"branch_weights", i32 2000, i32 1}
