; The second element of a structure, whose constant has been added to those of the lanes, as InstCombine does: both are
; parts of one structure, and are loaded together.
; passes: strided-accesses
; isa: avx512
; expect: load <8 x i32>
; expect: shufflevector
; expect-count: 0 call <8 x i32> @llvm\.masked\.gather
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, <8 x i1>, <8 x i32>)
define internal void @subgroup(ptr %d, ptr %result, i64 %uniform) !tessera.function !{!"subgroup"} {
  %start = shl i64 %uniform, 6
  %start1 = insertelement <8 x i64> poison, i64 %start, i64 0
  %starts = shufflevector <8 x i64> %start1, <8 x i64> poison, <8 x i32> zeroinitializer
  %o0 = or disjoint <8 x i64> %starts, <i64 0, i64 8, i64 16, i64 24, i64 32, i64 40, i64 48, i64 56>
  %o1 = or disjoint <8 x i64> %starts, <i64 4, i64 12, i64 20, i64 28, i64 36, i64 44, i64 52, i64 60>
  %p0 = getelementptr i8, ptr %d, <8 x i64> %o0
  %p1 = getelementptr i8, ptr %d, <8 x i64> %o1
  %first = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p0, <8 x i1> splat (i1 true), <8 x i32> poison)
  %second = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p1, <8 x i1> splat (i1 true), <8 x i32> poison)
  %sum = add <8 x i32> %first, %second
  store <8 x i32> %sum, ptr %result
  ret void
}
