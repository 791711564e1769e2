; Loops stay that have too many iterations or an unknown number of them, that are told to stay, that reach memory that is
; not local, or that reach the same place of a local array in each iteration.
; passes: unroll-over-arrays
; isa: reference
; expect-count: 7 = phi
; expect-count: 7 store i32
define internal void @subgroup(ptr %memory, i64 %z) !tessera.function !{!"subgroup"} {
entry:
  %array = alloca [256 x i32]
  br label %many
many:
  %a = phi i64 [ 0, %entry ], [ %a.next, %many ]
  %a.at = getelementptr i32, ptr %array, i64 %a
  store i32 1, ptr %a.at
  %a.next = add i64 %a, 1
  %a.more = icmp ult i64 %a.next, 65
  br i1 %a.more, label %many, label %unknown
unknown:
  %b = phi i64 [ 0, %many ], [ %b.next, %unknown ]
  %b.at = getelementptr i32, ptr %array, i64 %b
  store i32 1, ptr %b.at
  %b.next = add i64 %b, 1
  %b.more = icmp ult i64 %b.next, %z
  br i1 %b.more, label %unknown, label %told
told:
  %c = phi i64 [ 0, %unknown ], [ %c.next, %told ]
  %c.at = getelementptr i32, ptr %array, i64 %c
  store i32 1, ptr %c.at
  %c.next = add i64 %c, 1
  %c.more = icmp ult i64 %c.next, 4
  br i1 %c.more, label %told, label %not_local, !llvm.loop !0
not_local:
  %d = phi i64 [ 0, %told ], [ %d.next, %not_local ]
  %d.at = getelementptr i32, ptr %memory, i64 %d
  store i32 1, ptr %d.at
  %d.next = add i64 %d, 1
  %d.more = icmp ult i64 %d.next, 4
  br i1 %d.more, label %not_local, label %same
same:
  %e = phi i64 [ 0, %not_local ], [ %e.next, %same ]
  store i32 1, ptr %array
  %e.next = add i64 %e, 1
  %e.more = icmp ult i64 %e.next, 4
  br i1 %e.more, label %same, label %same_place
same_place:
  %f = phi i64 [ 0, %same ], [ %f.next, %same_place ]
  %f.at = getelementptr i32, ptr %array, i64 8
  store i32 1, ptr %f.at
  %f.next = add i64 %f, 1
  %f.more = icmp ult i64 %f.next, 4
  br i1 %f.more, label %same_place, label %twice
twice:
  %g = phi i64 [ 0, %same_place ], [ %g.next, %latch ]
  store i32 1, ptr %memory
  br label %latch
latch:
  %g.next = add i64 %g, 1
  %g.more = icmp ult i64 %g.next, 2
  br i1 %g.more, label %twice, label %exit
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
