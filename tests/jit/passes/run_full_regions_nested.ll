; A test in what is behind another one: of the copy for when all are live, what is behind the inner test has a copy,
; too. What is under the outer mask has none.
; passes: run-full-regions, promote-arrays
; isa: avx2
; expect-count: 2 masked\.gather.*<8 x i1> splat \(i1 true\)
; expect-count: 1 masked\.gather.*<8 x i1> %live, .*!tessera\.behind_test
; expect-count: 1 masked\.gather.*<8 x i1> %less\.full, .*!tessera\.behind_test
define internal void @subgroup(ptr %d, ptr %result, <8 x i32> %i, i32 %n, i32 %m) !tessera.function !{!"subgroup"} {
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
  store <8 x i8> %v, ptr %result
  %m1 = insertelement <8 x i32> poison, i32 %m, i64 0
  %ms = shufflevector <8 x i32> %m1, <8 x i32> poison, <8 x i32> zeroinitializer
  %less = icmp ult <8 x i32> %i, %ms
  %both = and <8 x i1> %live, %less
  %bits2 = bitcast <8 x i1> %both to i8
  %none2 = icmp eq i8 %bits2, 0
  br i1 %none2, label %exit, label %inside
inside:
  %q = getelementptr i8, ptr %buffer, <8 x i64> <i64 1, i64 4, i64 7, i64 10, i64 13, i64 16, i64 19, i64 22>
  %w = call <8 x i8> @llvm.masked.gather.v8i8.v8p0(<8 x ptr> align 1 %q, <8 x i1> %both, <8 x i8> zeroinitializer)
  store <8 x i8> %w, ptr %d
  br label %exit
exit:
  ret void
}
