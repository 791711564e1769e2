; Loads stay in the loop that may give another value in each iteration or are volatile; cheap arithmetic and vectors stay,
; which would take registers from the others for little.
; passes: hoist-invariants
; isa: reference
; expect: ^entry:
; expect: ^loop:
; expect: %plain = load i32, ptr %dispatch
; expect: %volatile = load volatile i32, ptr %dispatch
; expect: %each = load i32, ptr %each.at
; expect: %sum = add i32 %x, %z
; expect: %vector = load <16 x float>, ptr %dispatch
; expect: ret void
define void @kernel(ptr align 8 dereferenceable(256) %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %plain = load i32, ptr %dispatch
  %volatile = load volatile i32, ptr %dispatch, !invariant.load !0
  %each.at = getelementptr i32, ptr %dispatch, i32 %i
  %each = load i32, ptr %each.at, !invariant.load !0
  %sum = add i32 %x, %z
  %vector = load <16 x float>, ptr %dispatch, !invariant.load !0
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %y
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!0 = !{}
