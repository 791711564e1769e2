; A row that does not depend on x: of a grid that is one wide the next workgroup is the next along y, and of any other
; nothing else is fetched than what is read. Where products are put together between barriers rows are read again soon.
; passes: prefetch-next-workgroup
; isa: avx2
; expect: %[0-9]+ = getelementptr inbounds i8, ptr %dispatch, i64 448
; expect: %[0-9]+ = icmp eq i32 %[0-9]+, 1
; expect: %[0-9]+ = select i1 %[0-9]+, i64 %[0-9]+, i64 0
; expect: %[0-9]+ = mul i64 %[0-9]+, 4
; expect-count: 1 call void @llvm\.prefetch
declare !tessera.function !{!"barrier"} void @barrier(ptr) convergent
define internal void @subgroup(ptr %dispatch, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %set = load ptr, ptr %dispatch, !invariant.load !0
  %rows = load ptr, ptr %set, !invariant.load !0
  %columns.at = getelementptr i8, ptr %set, i64 16
  %columns = load ptr, ptr %columns.at, !invariant.load !0
  %length.at = getelementptr i8, ptr %dispatch, i64 192
  %length = load i32, ptr %length.at, !invariant.load !0
  %row = mul i32 %y, %length
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %index = add i32 %row, %k
  %wide = zext i32 %index to i64
  %offset = shl i64 %wide, 2
  %at = getelementptr i8, ptr %rows, i64 %offset
  %a = load <16 x i32>, ptr %at, align 4
  %column = shl i32 %x, 4
  %index2 = add i32 %column, %index
  %wide2 = zext i32 %index2 to i64
  %offset2 = shl i64 %wide2, 2
  %at2 = getelementptr i8, ptr %columns, i64 %offset2
  %b = load <16 x i32>, ptr %at2, align 4
  store volatile <16 x i32> %a, ptr %shared
  store volatile <16 x i32> %b, ptr %shared
  %next = add i32 %k, 16
  %more = icmp ult i32 %next, %length
  br i1 %more, label %loop, label %staged
staged:
  %l = phi i32 [ 0, %loop ], [ %next2, %staged ]
  %index3 = add i32 %row, %l
  %wide3 = zext i32 %index3 to i64
  %offset3 = shl i64 %wide3, 2
  %at3 = getelementptr i8, ptr %rows, i64 %offset3
  %c = load <16 x i32>, ptr %at3, align 4
  store volatile <16 x i32> %c, ptr %shared
  call void @barrier(ptr %shared) convergent
  %next2 = add i32 %l, 16
  %more2 = icmp ult i32 %next2, %length
  br i1 %more2, label %staged, label %end
end:
  ret void
}
!0 = !{}
