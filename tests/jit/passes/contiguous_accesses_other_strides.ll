; Gathers and scatters stay whose lanes do not count up by the size of an element: those of another stride, downwards,
; by a factor that is not known, in another order, or of places that follow no rule.
; passes: contiguous-accesses
; isa: reference
; expect-count: 6 call <8 x i32> @llvm\.masked\.gather
; expect-count: 1 call void @llvm\.masked\.scatter
; expect-not: = load
define internal void @subgroup(ptr %memory, i32 %x, <8 x i32> %input, ptr %to) !tessera.function !{!"subgroup"} {
  %x1 = insertelement <8 x i32> poison, i32 %x, i64 0
  %xs = shufflevector <8 x i32> %x1, <8 x i32> poison, <8 x i32> zeroinitializer
  %twice.index = shl <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 1)
  %twice.wide = sext <8 x i32> %twice.index to <8 x i64>
  %twice = getelementptr i32, ptr %memory, <8 x i64> %twice.wide
  %v1 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %twice, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v1, ptr %to
  %back.index = sub <8 x i32> %xs, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %back.wide = sext <8 x i32> %back.index to <8 x i64>
  %back = getelementptr i32, ptr %memory, <8 x i64> %back.wide
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %back, <8 x i1> splat (i1 true))
  %swapped = getelementptr i32, ptr %memory, <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 7, i64 6>
  %v2 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %swapped, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v2, ptr %to
  %squares.index = mul <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %squares.wide = sext <8 x i32> %squares.index to <8 x i64>
  %squares = getelementptr i32, ptr %memory, <8 x i64> %squares.wide
  %v3 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %squares, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v3, ptr %to
  %remainders.index = urem <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 3)
  %remainders.wide = sext <8 x i32> %remainders.index to <8 x i64>
  %remainders = getelementptr i32, ptr %memory, <8 x i64> %remainders.wide
  %v4 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %remainders, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v4, ptr %to
  %any.index = and <8 x i32> %input, splat (i32 15)
  %any.wide = sext <8 x i32> %any.index to <8 x i64>
  %any = getelementptr i32, ptr %memory, <8 x i64> %any.wide
  %v5 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %any, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v5, ptr %to
  %scaled.product = mul <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %xs
  %scaled.index = add <8 x i32> %scaled.product, %xs
  %scaled.wide = sext <8 x i32> %scaled.index to <8 x i64>
  %scaled = getelementptr i32, ptr %memory, <8 x i64> %scaled.wide
  %v6 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %scaled, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v6, ptr %to
  ret void
}
