; Loops of up to 64 iterations that reach another element of a local array in each are unrolled, so that the elements can
; become values; so are loops that run once, whatever they do.
; passes: unroll-over-arrays
; isa: reference
; expect-count: 0 = phi
; expect-count: 4 store i32 1,
; expect-count: 64 store i32 2,
; expect-count: 1 store i32 3,
; expect-count: 1 store i32 4,
define internal void @subgroup(ptr %memory, i64 %z) !tessera.function !{!"subgroup"} {
entry:
  %array = alloca [256 x i32]
  br label %four
four:
  %a = phi i64 [ 0, %entry ], [ %a.next, %four ]
  %a.at = getelementptr i32, ptr %array, i64 %a
  store i32 1, ptr %a.at
  %a.next = add i64 %a, 1
  %a.more = icmp ult i64 %a.next, 4
  br i1 %a.more, label %four, label %many
many:
  %b = phi i64 [ 0, %four ], [ %b.next, %many ]
  %b.at = getelementptr i32, ptr %array, i64 %b
  store i32 2, ptr %b.at
  %b.next = add i64 %b, 1
  %b.more = icmp ult i64 %b.next, 64
  br i1 %b.more, label %many, label %once
once:
  %c = phi i64 [ 0, %many ], [ %c.next, %once ]
  store i32 3, ptr %memory
  %c.next = add i64 %c, 1
  %c.more = icmp ult i64 %c.next, 1
  br i1 %c.more, label %once, label %with_test
with_test:
  %d = phi i64 [ 0, %once ], [ %d.next, %body ]
  %done = icmp eq i64 %d, 1
  br i1 %done, label %exit, label %body
body:
  store i32 4, ptr %memory
  %d.next = add i64 %d, 1
  %d.more = icmp ult i64 %d.next, 1
  br i1 %d.more, label %with_test, label %exit
exit:
  ret void
}
