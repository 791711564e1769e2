; On machines without loads under a mask, gathers stay that want parts of structures, or those of some lanes: loads of
; whole structures would read what may not be there.
; passes: strided-accesses
; isa: reference
; expect-count: 6 call <8 x i32> @llvm\.masked\.gather
; expect-not: = load
; expect-not: @llvm\.masked\.load
define internal void @subgroup(ptr %memory, i32 %x, <8 x i32> %input, ptr %to) !tessera.function !{!"subgroup"} {
  %x1 = insertelement <8 x i32> poison, i32 %x, i64 0
  %xs = shufflevector <8 x i32> %x1, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %xs, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %wide = sext <8 x i32> %index to <8 x i64>
  %some = icmp ult <8 x i32> %index, splat (i32 5)
  br label %three_of_four
three_of_four:
  %a = mul <8 x i64> %wide, splat (i64 16)
  %a.at0 = getelementptr i8, ptr %memory, <8 x i64> %a
  %a.1 = add <8 x i64> %a, splat (i64 4)
  %a.at1 = getelementptr i8, ptr %memory, <8 x i64> %a.1
  %a.2 = add <8 x i64> %a, splat (i64 8)
  %a.at2 = getelementptr i8, ptr %memory, <8 x i64> %a.2
  %v14 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %a.at0, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v14, ptr %to
  %v15 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %a.at1, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v15, ptr %to
  %v16 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %a.at2, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v16, ptr %to
  br label %one_of_two
one_of_two:
  %b = mul <8 x i64> %wide, splat (i64 8)
  %b.1 = add <8 x i64> %b, splat (i64 4)
  %b.at1 = getelementptr i8, ptr %memory, <8 x i64> %b.1
  %v17 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %b.at1, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v17, ptr %to
  br label %some_lanes
some_lanes:
  %c = mul <8 x i64> %wide, splat (i64 8)
  %c.at0 = getelementptr i8, ptr %memory, <8 x i64> %c
  %c.1 = add <8 x i64> %c, splat (i64 4)
  %c.at1 = getelementptr i8, ptr %memory, <8 x i64> %c.1
  %v18 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %c.at0, <8 x i1> %some, <8 x i32> zeroinitializer)
  store <8 x i32> %v18, ptr %to
  %v19 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %c.at1, <8 x i1> %some, <8 x i32> zeroinitializer)
  store <8 x i32> %v19, ptr %to
  ret void
}
