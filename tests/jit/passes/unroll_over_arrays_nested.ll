; A loop around one that stays is unrolled if the inner loop reaches one place of the array in all its iterations, so that
; each copy has a place of its own. If the inner loop moves in the array, copies of it would not help.
; passes: unroll-over-arrays
; isa: reference
; expect-count: 8 = phi
; expect-count: 1 store i32 1,
; expect-count: 1 store i32 2,
; expect-count: 4 store i32 3,
define internal void @subgroup(ptr %memory, i64 %z) !tessera.function !{!"subgroup"} {
entry:
  %array = alloca [256 x i32]
  br label %all
all:
  %a = phi i64 [ 0, %entry ], [ %a.next, %all.latch ]
  br label %all.inner
all.inner:
  %b = phi i64 [ 0, %all ], [ %b.next, %all.inner ]
  %all.at = getelementptr i32, ptr %array, i64 %b
  store i32 1, ptr %all.at
  %b.next = add i64 %b, 1
  %b.more = icmp ult i64 %b.next, %z
  br i1 %b.more, label %all.inner, label %all.latch
all.latch:
  %a.next = add i64 %a, 1
  %a.more = icmp ult i64 %a.next, 4
  br i1 %a.more, label %all, label %part
part:
  %c = phi i64 [ 0, %all.latch ], [ %c.next, %part.latch ]
  br label %part.inner
part.inner:
  %d = phi i64 [ 0, %part ], [ %d.next, %part.inner ]
  %row = mul i64 %c, 16
  %index = add i64 %row, %d
  %part.at = getelementptr i32, ptr %array, i64 %index
  store i32 2, ptr %part.at
  %d.next = add i64 %d, 1
  %d.more = icmp ult i64 %d.next, %z
  br i1 %d.more, label %part.inner, label %part.latch
part.latch:
  %c.next = add i64 %c, 1
  %c.more = icmp ult i64 %c.next, 4
  br i1 %c.more, label %part, label %one
one:
  %e = phi i64 [ 0, %part.latch ], [ %e.next, %one.latch ]
  br label %one.inner
one.inner:
  %f = phi i64 [ 0, %one ], [ %f.next, %one.inner ]
  %one.at = getelementptr i32, ptr %array, i64 %e
  store i32 3, ptr %one.at
  %f.next = add i64 %f, 1
  %f.more = icmp ult i64 %f.next, %z
  br i1 %f.more, label %one.inner, label %one.latch
one.latch:
  %e.next = add i64 %e, 1
  %e.more = icmp ult i64 %e.next, 4
  br i1 %e.more, label %one, label %exit
exit:
  ret void
}
