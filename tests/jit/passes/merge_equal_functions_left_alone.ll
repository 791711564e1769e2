; Functions are kept that differ by a constant, volatile, an alignment, a flag, the order of operands, an attribute, a
; loop's properties, or the data that they read; and ones that call each other, if one of them differs.
; passes: merge-equal-functions
; isa: reference
; expect-count: 19 define internal
@five = private constant i32 5
@six = private constant i32 6
@variable = internal global i32 5
define internal void @store(ptr %p, i32 %x) {
  store i32 %x, ptr %p
  ret void
}
define internal void @store_constant(ptr %p, i32 %x) {
  store i32 1, ptr %p
  ret void
}
define internal void @store_volatile(ptr %p, i32 %x) {
  store volatile i32 %x, ptr %p
  ret void
}
define internal void @store_unaligned(ptr %p, i32 %x) {
  store i32 %x, ptr %p, align 1
  ret void
}
define internal void @store_noalias(ptr noalias %p, i32 %x) {
  store i32 %x, ptr %p
  ret void
}
define internal void @sum(ptr %p, i32 %x) {
  %s = add i32 %x, 1
  store i32 %s, ptr %p
  ret void
}
define internal void @sum_nsw(ptr %p, i32 %x) {
  %s = add nsw i32 %x, 1
  store i32 %s, ptr %p
  ret void
}
define internal void @difference(ptr %p, i32 %x) {
  %s = sub i32 %x, 3
  store i32 %s, ptr %p
  ret void
}
define internal void @difference_reversed(ptr %p, i32 %x) {
  %s = sub i32 3, %x
  store i32 %s, ptr %p
  ret void
}
define internal void @reads_five(ptr %p) {
  %v = load i32, ptr @five
  store i32 %v, ptr %p
  ret void
}
define internal void @reads_six(ptr %p) {
  %v = load i32, ptr @six
  store i32 %v, ptr %p
  ret void
}
define internal void @reads_variable(ptr %p) {
  %v = load i32, ptr @variable
  store i32 %v, ptr %p
  ret void
}
define internal void @loop_by_1(i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %x
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define internal void @loop_by_2(i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 2
  %more = icmp ult i32 %next, %x
  br i1 %more, label %loop, label %exit, !llvm.loop !1
exit:
  ret void
}
define internal void @loop_to_unroll(i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %x
  br i1 %more, label %loop, label %exit, !llvm.loop !2
exit:
  ret void
}
define internal void @odd(i32 %x) {
  %done = icmp eq i32 %x, 0
  br i1 %done, label %exit, label %on
on:
  call void @even(i32 %x)
  ret void
exit:
  ret void
}
define internal void @odd.2(i32 %x) {
  %done = icmp eq i32 %x, 0
  br i1 %done, label %exit, label %on
on:
  call void @even.2(i32 %x)
  ret void
exit:
  ret void
}
define internal void @even(i32 %x) {
  %y = sub i32 %x, 1
  call void @odd(i32 %y)
  ret void
}
define internal void @even.2(i32 %x) {
  %y = sub i32 %x, 2
  call void @odd.2(i32 %y)
  ret void
}
!0 = distinct !{!0, !3}
!1 = distinct !{!1, !3}
!2 = distinct !{!2}
!3 = !{!"llvm.loop.unroll.disable"}
