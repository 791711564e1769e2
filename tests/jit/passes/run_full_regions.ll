; What is behind a test of lanes runs without a mask where all are live: bytes apart are dear under one. The second
; region's words side by side are not. A phi behind both regions gets values from the copy.
; passes: run-full-regions, promote-arrays
; isa: avx2
; expect: i8 -1, label %body\.full
; expect-count: 1 masked\.gather.*<8 x i1> %live, .*!tessera\.behind_test
; expect-count: 1 masked\.gather.*<8 x i1> splat \(i1 true\)
; expect-count: 1 masked\.load.*<8 x i1> %live2
; expect: phi <8 x i8> \[ zeroinitializer, %entry \], \[ %v, %body \], \[ %v\.full, %body\.full \]
define internal void @subgroup(ptr %d, ptr %result, <8 x i32> %i, i32 %n) !tessera.function !{!"subgroup"} {
entry:
  %buffer = load ptr, ptr %d
  %n1 = insertelement <8 x i32> poison, i32 %n, i64 0
  %ns = shufflevector <8 x i32> %n1, <8 x i32> poison, <8 x i32> zeroinitializer
  %live = icmp ult <8 x i32> %i, %ns
  %bits = bitcast <8 x i1> %live to i8
  %none = icmp eq i8 %bits, 0
  br i1 %none, label %joined, label %body
body:
  %p = getelementptr i8, ptr %buffer, <8 x i64> <i64 0, i64 3, i64 6, i64 9, i64 12, i64 15, i64 18, i64 21>
  %v = call <8 x i8> @llvm.masked.gather.v8i8.v8p0(<8 x ptr> align 1 %p, <8 x i1> %live, <8 x i8> zeroinitializer)
  br label %joined
joined:
  %chosen = phi <8 x i8> [ zeroinitializer, %entry ], [ %v, %body ]
  store <8 x i8> %chosen, ptr %result
  %live2 = icmp ult <8 x i32> %i, splat (i32 100)
  %bits2 = bitcast <8 x i1> %live2 to i8
  %none2 = icmp eq i8 %bits2, 0
  br i1 %none2, label %exit, label %body2
body2:
  %v2 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %buffer, <8 x i1> %live2, <8 x i32> zeroinitializer)
  store <8 x i32> %v2, ptr %d
  br label %exit
exit:
  ret void
}
