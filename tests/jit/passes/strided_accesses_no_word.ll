; On machines without stores under a mask, two parts of a structure that lie side by side are scattered as one word of
; 64 bits. Three parts, four, and two with a gap make no such word and stay.
; passes: strided-accesses
; isa: reference
; expect-count: 9 call void @llvm\.masked\.scatter\.v8i32
; expect-count: 9 call void @llvm\.masked
define internal void @subgroup(ptr %memory, i32 %x, <8 x i32> %input, ptr %to) !tessera.function !{!"subgroup"} {
  %x1 = insertelement <8 x i32> poison, i32 %x, i64 0
  %xs = shufflevector <8 x i32> %x1, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %xs, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %wide = sext <8 x i32> %index to <8 x i64>
  %some = icmp ult <8 x i32> %index, splat (i32 5)
  br label %three
three:
  %a = mul <8 x i64> %wide, splat (i64 64)
  %a.at0 = getelementptr i8, ptr %memory, <8 x i64> %a
  %a.1 = add <8 x i64> %a, splat (i64 4)
  %a.at1 = getelementptr i8, ptr %memory, <8 x i64> %a.1
  %a.2 = add <8 x i64> %a, splat (i64 8)
  %a.at2 = getelementptr i8, ptr %memory, <8 x i64> %a.2
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %a.at1, <8 x i1> %some)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %a.at0, <8 x i1> %some)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %a.at2, <8 x i1> %some)
  br label %four
four:
  %b = mul <8 x i64> %wide, splat (i64 64)
  %b.at0 = getelementptr i8, ptr %memory, <8 x i64> %b
  %b.1 = add <8 x i64> %b, splat (i64 4)
  %b.at1 = getelementptr i8, ptr %memory, <8 x i64> %b.1
  %b.2 = add <8 x i64> %b, splat (i64 8)
  %b.at2 = getelementptr i8, ptr %memory, <8 x i64> %b.2
  %b.3 = add <8 x i64> %b, splat (i64 12)
  %b.at3 = getelementptr i8, ptr %memory, <8 x i64> %b.3
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %b.at1, <8 x i1> %some)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %b.at0, <8 x i1> %some)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %b.at2, <8 x i1> %some)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %b.at3, <8 x i1> %some)
  br label %apart
apart:
  %c = mul <8 x i64> %wide, splat (i64 64)
  %c.at0 = getelementptr i8, ptr %memory, <8 x i64> %c
  %c.2 = add <8 x i64> %c, splat (i64 8)
  %c.at2 = getelementptr i8, ptr %memory, <8 x i64> %c.2
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %c.at0, <8 x i1> %some)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> align 4 %c.at2, <8 x i1> %some)
  ret void
}
