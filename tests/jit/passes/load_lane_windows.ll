; Elements that several lanes share, near to each other, are one load and a shuffle; five of them one under a mask.
; Far ones are gathered once each, those of some lanes only stay a gather.
; passes: load-lane-windows
; isa: avx2
; expect-count: 1 = load <2 x i32>, ptr %[0-9]+, align 4
; expect-count: 1 shufflevector <8 x i32> .*, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1>
; expect-count: 1 call <8 x i32> @llvm\.masked\.load\.v8i32\.p0\(ptr align 4 %[0-9]+, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>
; expect-count: 1 shufflevector <8 x i32> .*, <8 x i32> <i32 1, i32 0, i32 4, i32 2, i32 2, i32 2, i32 2, i32 2>
; expect-count: 1 call <4 x i32> @llvm\.masked\.gather
; expect-count: 1 call <8 x i32> @llvm\.masked\.gather
define internal void @subgroup(ptr %d, ptr %result, i64 %first, <8 x i1> %some) !tessera.function !{!"subgroup"} {
  %buffer = load ptr, ptr %d
  %one = insertelement <8 x i64> poison, i64 %first, i64 0
  %all = shufflevector <8 x i64> %one, <8 x i64> poison, <8 x i32> zeroinitializer
  %at1 = add <8 x i64> %all, <i64 0, i64 0, i64 0, i64 0, i64 4, i64 4, i64 4, i64 4>
  %p1 = getelementptr i8, ptr %buffer, <8 x i64> %at1
  %v1 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p1, <8 x i1> splat (i1 true), <8 x i32> poison)
  store <8 x i32> %v1, ptr %result
  %at2 = add <8 x i64> %all, <i64 -4, i64 -8, i64 8, i64 0, i64 0, i64 0, i64 0, i64 0>
  %p2 = getelementptr i8, ptr %buffer, <8 x i64> %at2
  %v2 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p2, <8 x i1> splat (i1 true), <8 x i32> poison)
  store <8 x i32> %v2, ptr %result
  %at3 = add <8 x i64> %all, <i64 0, i64 0, i64 0, i64 0, i64 4000, i64 8000, i64 4, i64 4>
  %p3 = getelementptr i8, ptr %buffer, <8 x i64> %at3
  %v3 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p3, <8 x i1> splat (i1 true), <8 x i32> poison)
  store <8 x i32> %v3, ptr %result
  %v4 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p1, <8 x i1> %some, <8 x i32> zeroinitializer)
  store <8 x i32> %v4, ptr %result
  ret void
}
