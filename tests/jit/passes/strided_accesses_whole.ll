; Four words of pairs of invocations side by side, each two pairs reading the same: all are loaded whole, so every
; part is each fourth element of one vector. Of three of the four words registers have gaps, and are shuffled one by
; one.
; passes: strided-accesses
; isa: avx512
; expect-count: 4 shufflevector <32 x i32> %[0-9]+, <32 x i32> poison, <8 x i32> <i32 [0-3], i32 [4-7],
; expect-count: 4 call <8 x i32> @llvm\.masked\.load
; expect-not: call <8 x i32> @llvm\.masked\.gather
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, <8 x i1>, <8 x i32>)
define internal void @subgroup(ptr %d, ptr %result, i64 %uniform) !tessera.function !{!"subgroup"} {
  %start = shl i64 %uniform, 6
  %start1 = insertelement <8 x i64> poison, i64 %start, i64 0
  %starts = shufflevector <8 x i64> %start1, <8 x i64> poison, <8 x i32> zeroinitializer
  %o0 = add <8 x i64> %starts, <i64 0, i64 16, i64 0, i64 16, i64 32, i64 48, i64 32, i64 48>
  %o1 = add <8 x i64> %starts, <i64 4, i64 20, i64 4, i64 20, i64 36, i64 52, i64 36, i64 52>
  %o2 = add <8 x i64> %starts, <i64 8, i64 24, i64 8, i64 24, i64 40, i64 56, i64 40, i64 56>
  %o3 = add <8 x i64> %starts, <i64 12, i64 28, i64 12, i64 28, i64 44, i64 60, i64 44, i64 60>
  %p0 = getelementptr i8, ptr %d, <8 x i64> %o0
  %p1 = getelementptr i8, ptr %d, <8 x i64> %o1
  %p2 = getelementptr i8, ptr %d, <8 x i64> %o2
  %p3 = getelementptr i8, ptr %d, <8 x i64> %o3
  %a = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p0, <8 x i1> splat (i1 true), <8 x i32> poison)
  %b = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p1, <8 x i1> splat (i1 true), <8 x i32> poison)
  %c = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p2, <8 x i1> splat (i1 true), <8 x i32> poison)
  %e = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p3, <8 x i1> splat (i1 true), <8 x i32> poison)
  %ab = add <8 x i32> %a, %b
  %ce = sub <8 x i32> %c, %e
  store volatile <8 x i32> %ab, ptr %result
  store volatile <8 x i32> %ce, ptr %result
  %three0 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p0, <8 x i1> splat (i1 true), <8 x i32> poison)
  %three1 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p1, <8 x i1> splat (i1 true), <8 x i32> poison)
  %three2 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p2, <8 x i1> splat (i1 true), <8 x i32> poison)
  store volatile <8 x i32> %three0, ptr %result
  store volatile <8 x i32> %three1, ptr %result
  store volatile <8 x i32> %three2, ptr %result
  ret void
}
