; A short region of a subgroup of two rows: the mask is of comparisons from above and from below, accesses are of a
; row each, under their part of the mask. Scalars ask for all lanes first, and the copy has no masks.
; passes: run-full-regions, promote-arrays
; isa: avx512
; expect: define internal void @subgroup
; expect: icmp ult i32 %n, %first
; expect: icmp ult i32 %first, -7
; expect: br i1 %.*, label %body\.full, label %some
; expect: some:
; expect: %live = icmp ugt <8 x i32>
; expect: body\.full:
; expect: load <4 x float>, ptr
; expect: load <4 x float>, ptr
; expect: store <4 x float>
; expect-count: 2 call <4 x float> @llvm.masked\.load
declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, <4 x i1>, <4 x float>)
declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, <4 x i1>)
define internal void @subgroup(ptr %d, ptr %result, i32 %first, i32 %n) !tessera.function !{!"subgroup"} {
entry:
  %f1 = insertelement <8 x i32> poison, i32 %first, i64 0
  %fs = shufflevector <8 x i32> %f1, <8 x i32> poison, <8 x i32> zeroinitializer
  %i = add <8 x i32> %fs, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %n1 = insertelement <8 x i32> poison, i32 %n, i64 0
  %ns = shufflevector <8 x i32> %n1, <8 x i32> poison, <8 x i32> zeroinitializer
  %live = icmp ugt <8 x i32> %i, %ns
  %bits = bitcast <8 x i1> %live to i8
  %none = icmp eq i8 %bits, 0
  br i1 %none, label %joined, label %body
body:
  %low = shufflevector <8 x i1> %live, <8 x i1> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %high = shufflevector <8 x i1> %live, <8 x i1> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %d2 = getelementptr i8, ptr %d, i64 1024
  %v = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %d, <4 x i1> %low, <4 x float> zeroinitializer)
  %w = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %d2, <4 x i1> %high, <4 x float> zeroinitializer)
  %sum = fadd <4 x float> %v, %w
  call void @llvm.masked.store.v4f32.p0(<4 x float> %sum, ptr align 4 %result, <4 x i1> %low)
  br label %joined
joined:
  ret void
}
