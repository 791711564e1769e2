; One place for all lanes: a gather stays that not all lanes take part in, since nothing may be read where none does,
; and so does a scatter, of whose values the last one wins.
; passes: contiguous-accesses
; isa: reference
; expect-count: 1 call <8 x i32> @llvm\.masked\.gather
; expect-count: 1 call void @llvm\.masked\.scatter
; expect-not: = load
define internal void @subgroup(ptr %memory, i32 %x, <8 x i32> %input, ptr %to) !tessera.function !{!"subgroup"} {
  %x1 = insertelement <8 x i32> poison, i32 %x, i64 0
  %xs = shufflevector <8 x i32> %x1, <8 x i32> poison, <8 x i32> zeroinitializer
  %one.index = add <8 x i32> %xs, splat (i32 3)
  %one.wide = sext <8 x i32> %one.index to <8 x i64>
  %one = getelementptr i32, ptr %memory, <8 x i64> %one.wide
  %some = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 2)
  %v7 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %one, <8 x i1> %some, <8 x i32> zeroinitializer)
  store <8 x i32> %v7, ptr %to
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %one, <8 x i1> splat (i1 true))
  ret void
}
