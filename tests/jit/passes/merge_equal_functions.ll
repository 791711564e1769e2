; Of internal functions with equal code the first one is kept, and serves the callers of all. Names of values and of
; loops do not count, data that is read counts by its contents, and functions that call each other may be equal to
; others that do.
; passes: merge-equal-functions
; isa: reference
; expect: call void @store\(ptr %memory\)
; expect: call void @store\(ptr %memory\)
; expect: define internal void @store\(
; expect: define internal void @sum\(
; expect: define internal void @difference\(
; expect: define internal void @loop\(
; expect: define internal void @reads\(
; expect: define internal void @odd\(
; expect: call void @even\(
; expect: define internal void @even\(
; expect: call void @odd\(
; expect-count: 7 define internal
@five = private constant i32 5
@again = private constant i32 5
define void @kernel(ptr %memory) {
  call void @store(ptr %memory)
  call void @store.2(ptr %memory)
  ret void
}
define internal void @store(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define internal void @store.2(ptr %q) {
  store i32 1, ptr %q
  ret void
}
define internal void @sum(ptr %p, i32 %x) {
  %s = add i32 %x, 1
  store i32 %s, ptr %p
  ret void
}
define internal void @sum.2(ptr %q, i32 %y) {
  %t = add i32 %y, 1
  store i32 %t, ptr %q
  ret void
}
define internal void @difference(ptr %p, i32 %x) {
  %s = sub i32 %x, 3
  store i32 %s, ptr %p
  ret void
}
define internal void @difference.2(ptr %q, i32 %y) {
  %t = sub i32 %y, 3
  store i32 %t, ptr %q
  ret void
}
define internal void @loop(ptr %p, i32 %x) {
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
define internal void @loop.2(ptr %q, i32 %y) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %y
  br i1 %more, label %loop, label %exit, !llvm.loop !1
exit:
  ret void
}
define internal void @reads(ptr %p) {
  %v = load i32, ptr @five
  store i32 %v, ptr %p
  ret void
}
define internal void @reads.2(ptr %q) {
  %v = load i32, ptr @again
  store i32 %v, ptr %q
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
  %y = sub i32 %x, 1
  call void @odd.2(i32 %y)
  ret void
}
!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.disable"}
