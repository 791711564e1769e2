; Four rows of eight invocations, whose distance is known at run time only: a load for each row, under its part of the
; mask if there is one, though the row's place has been shifted and extended, which it could not be lane by lane.
; Where what goes on within a row may wrap around before it is extended, and where rows are of two, they stay gathers.
; passes: load-lane-windows
; isa: avx512
; expect-count: 4 = load <8 x i64>, ptr %[0-9]+, align 4
; expect-count: 4 call <8 x i64> @llvm\.masked\.load\.v8i64\.p0\(ptr align 4 %[0-9]+, <8 x i1> %[0-9]+, <8 x i64> zeroinitializer\)
; expect-count: 2 call <32 x i64> @llvm\.masked\.gather\.v32i64
define internal void @subgroup(ptr %d, ptr %result, i32 %x, i32 %stride, <32 x i1> %some) !tessera.function !{!"subgroup"} {
  %buffer = load ptr, ptr %d
  %one = insertelement <32 x i32> poison, i32 %stride, i64 0
  %strides = shufflevector <32 x i32> %one, <32 x i32> poison, <32 x i32> zeroinitializer
  %start1 = insertelement <32 x i32> poison, i32 %x, i64 0
  %starts = shufflevector <32 x i32> %start1, <32 x i32> poison, <32 x i32> zeroinitializer
  %rows = mul <32 x i32> %strides, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %bytes = add <32 x i32> %rows, %starts
  %quads = lshr <32 x i32> %bytes, splat (i32 2)
  %index = add nuw <32 x i32> %quads, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %wide = zext <32 x i32> %index to <32 x i64>
  %p1 = getelementptr i64, ptr %buffer, <32 x i64> %wide
  %v1 = call <32 x i64> @llvm.masked.gather.v32i64.v32p0(<32 x ptr> align 4 %p1, <32 x i1> splat (i1 true), <32 x i64> poison)
  store <32 x i64> %v1, ptr %result
  %v2 = call <32 x i64> @llvm.masked.gather.v32i64.v32p0(<32 x ptr> align 4 %p1, <32 x i1> %some, <32 x i64> zeroinitializer)
  store <32 x i64> %v2, ptr %result
  %wrapping = add <32 x i32> %quads, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %wide3 = zext <32 x i32> %wrapping to <32 x i64>
  %p3 = getelementptr i64, ptr %buffer, <32 x i64> %wide3
  %v3 = call <32 x i64> @llvm.masked.gather.v32i64.v32p0(<32 x ptr> align 4 %p3, <32 x i1> splat (i1 true), <32 x i64> poison)
  store <32 x i64> %v3, ptr %result
  %pairs = mul <32 x i32> %strides, <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3, i32 4, i32 4, i32 5, i32 5, i32 6, i32 6, i32 7, i32 7, i32 8, i32 8, i32 9, i32 9, i32 10, i32 10, i32 11, i32 11, i32 12, i32 12, i32 13, i32 13, i32 14, i32 14, i32 15, i32 15>
  %index4 = add nuw <32 x i32> %pairs, <i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1>
  %wide4 = zext <32 x i32> %index4 to <32 x i64>
  %p4 = getelementptr i64, ptr %buffer, <32 x i64> %wide4
  %v4 = call <32 x i64> @llvm.masked.gather.v32i64.v32p0(<32 x ptr> align 4 %p4, <32 x i1> splat (i1 true), <32 x i64> poison)
  store <32 x i64> %v4, ptr %result
  ret void
}
