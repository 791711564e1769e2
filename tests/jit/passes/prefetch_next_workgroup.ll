; Two rows of a workgroup, read in a loop: what the next workgroup reads is two rows further, whatever a row's length is;
; loads at constants past one address are one piece, of which each cache line is fetched once. Of a row by itself that of the
; workgroup after the next is, if it is of two lines an iteration; what all workgroups read is there already.
; passes: prefetch-next-workgroup
; isa: avx2
; expect: %[0-9]+ = mul i32 2, %length
; expect: call void @llvm\.prefetch
; expect: %[0-9]+ = mul i64 %[0-9]+, 2
; expect-count: 6 call void @llvm\.prefetch
define internal void @subgroup(ptr %dispatch, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %set = load ptr, ptr %dispatch, !invariant.load !0
  %rows = load ptr, ptr %set, !invariant.load !0
  %vector.at = getelementptr i8, ptr %set, i64 16
  %vector = load ptr, ptr %vector.at, !invariant.load !0
  %single.at = getelementptr i8, ptr %set, i64 48
  %single = load ptr, ptr %single.at, !invariant.load !0
  %alone.at = getelementptr i8, ptr %set, i64 32
  %alone = load ptr, ptr %alone.at, !invariant.load !0
  %length.at = getelementptr i8, ptr %dispatch, i64 192
  %length = load i32, ptr %length.at, !invariant.load !0
  %row = shl i32 %x, 1
  %first = mul i32 %row, %length
  %second = add i32 %first, %length
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %index1 = add i32 %first, %k
  %wide1 = zext i32 %index1 to i64
  %offset1 = shl i64 %wide1, 2
  %at1 = getelementptr i8, ptr %rows, i64 %offset1
  %a = load <16 x i32>, ptr %at1, align 4
  %further = getelementptr i8, ptr %at1, i64 64
  %b = load <16 x i32>, ptr %further, align 4
  %between = getelementptr i8, ptr %at1, i64 32
  %c = load <16 x i32>, ptr %between, align 4
  %index2 = add i32 %second, %k
  %wide2 = zext i32 %index2 to i64
  %offset2 = shl i64 %wide2, 2
  %at2 = getelementptr i8, ptr %rows, i64 %offset2
  %d = load <32 x i32>, ptr %at2, align 4
  %e = load <8 x i32>, ptr %at2, align 4
  %wide3 = zext i32 %k to i64
  %offset3 = shl i64 %wide3, 2
  %at3 = getelementptr i8, ptr %vector, i64 %offset3
  %f = load <16 x i32>, ptr %at3, align 4
  %at4 = getelementptr i8, ptr %alone, i64 %offset1
  %g = load <16 x i32>, ptr %at4, align 4
  %at5 = getelementptr i8, ptr %single, i64 %offset1
  %h = load <32 x i32>, ptr %at5, align 4
  store volatile <32 x i32> %h, ptr %shared
  store volatile <16 x i32> %a, ptr %shared
  store volatile <16 x i32> %b, ptr %shared
  store volatile <16 x i32> %c, ptr %shared
  store volatile <32 x i32> %d, ptr %shared
  store volatile <8 x i32> %e, ptr %shared
  store volatile <16 x i32> %f, ptr %shared
  store volatile <16 x i32> %g, ptr %shared
  %next = add i32 %k, 32
  %more = icmp ult i32 %next, %length
  br i1 %more, label %loop, label %end
end:
  ret void
}
!0 = !{}
