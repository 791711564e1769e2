; A short region whose mask is a comparison with a limit: scalars ask first whether all lanes are there, and the
; vector of the comparison is only made where they are not. Of the second region the mask is anything, so it stays.
; passes: run-full-regions, promote-arrays
; isa: avx512
; expect: define internal void @subgroup
; expect: icmp ult i32 %.*, %n
; expect: br i1 %.*, label %body\.full, label %some
; expect: some:
; expect: %live = icmp ult <8 x i32>
; expect: body\.full:
; expect: load <8 x float>, ptr
; expect: fadd <8 x float>
; expect: body:
; expect: masked\.load.*<8 x i1> %live,
; expect-count: 1 masked\.load.*<8 x i1> %other,
; expect-count: 0 body2\.full
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, <8 x i1>)
define internal void @subgroup(ptr %d, ptr %result, i32 %first, i32 %n, <8 x i1> %other) !tessera.function !{!"subgroup"} {
entry:
  %f1 = insertelement <8 x i32> poison, i32 %first, i64 0
  %fs = shufflevector <8 x i32> %f1, <8 x i32> poison, <8 x i32> zeroinitializer
  %i = add <8 x i32> %fs, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %n1 = insertelement <8 x i32> poison, i32 %n, i64 0
  %ns = shufflevector <8 x i32> %n1, <8 x i32> poison, <8 x i32> zeroinitializer
  %live = icmp ult <8 x i32> %i, %ns
  %bits = bitcast <8 x i1> %live to i8
  %none = icmp eq i8 %bits, 0
  br i1 %none, label %joined, label %body
body:
  %v = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %d, <8 x i1> %live, <8 x float> zeroinitializer)
  %w = fadd <8 x float> %v, splat (float 1.0)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %w, ptr align 4 %result, <8 x i1> %live)
  br label %joined
joined:
  %bits2 = bitcast <8 x i1> %other to i8
  %none2 = icmp eq i8 %bits2, 0
  br i1 %none2, label %exit, label %body2
body2:
  %v2 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %d, <8 x i1> %other, <8 x float> zeroinitializer)
  store <8 x float> %v2, ptr %d
  br label %exit
exit:
  ret void
}
