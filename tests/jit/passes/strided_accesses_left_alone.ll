; Gathers and scatters stay that are one word of a large structure, that lie one word apart, that give another value
; than zero where a lane takes no part, and that reach the same places from different lanes.
; passes: strided-accesses
; isa: avx2
; expect-count: 4 call <8 x i32> @llvm\.masked\.gather
; expect-count: 2 call void @llvm\.masked\.scatter
; expect-not: = load
; expect-not: @llvm\.masked\.(load|store)
define internal void @subgroup(ptr %memory, i32 %x, <8 x i32> %input, ptr %to) !tessera.function !{!"subgroup"} {
  %x1 = insertelement <8 x i32> poison, i32 %x, i64 0
  %xs = shufflevector <8 x i32> %x1, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %xs, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %wide = sext <8 x i32> %index to <8 x i64>
  %some = icmp ult <8 x i32> %index, splat (i32 5)
  br label %large_structure
large_structure:
  %a = mul <8 x i64> %wide, splat (i64 20)
  %a.at0 = getelementptr i8, ptr %memory, <8 x i64> %a
  %v10 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %a.at0, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v10, ptr %to
  br label %one_word_apart
one_word_apart:
  %b = mul <8 x i64> %wide, splat (i64 4)
  %b.at0 = getelementptr i8, ptr %memory, <8 x i64> %b
  %v11 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %b.at0, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v11, ptr %to
  br label %other_value
other_value:
  %c = mul <8 x i64> %wide, splat (i64 8)
  %c.at0 = getelementptr i8, ptr %memory, <8 x i64> %c
  %c.1 = add <8 x i64> %c, splat (i64 4)
  %c.at1 = getelementptr i8, ptr %memory, <8 x i64> %c.1
  %v12 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %c.at0, <8 x i1> %some, <8 x i32> splat (i32 7))
  store <8 x i32> %v12, ptr %to
  %v13 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %c.at1, <8 x i1> %some, <8 x i32> splat (i32 7))
  store <8 x i32> %v13, ptr %to
  br label %same_places
same_places:
  %d = mul <8 x i64> %wide, splat (i64 8)
  %d.at0 = getelementptr i8, ptr %memory, <8 x i64> %d
  %d.2 = add <8 x i64> %d, splat (i64 8)
  %d.at2 = getelementptr i8, ptr %memory, <8 x i64> %d.2
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %d.at0, <8 x i1> splat (i1 true))
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %d.at2, <8 x i1> splat (i1 true))
  ret void
}
