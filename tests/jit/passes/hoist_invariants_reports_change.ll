; A division moves in front of its loop. The pass says that it has changed the function: promote-arrays,
; which runs only on changed functions after promote, makes one of two equal shifts.
; passes: promote, hoist-invariants, promote-arrays
; isa: reference
; expect-count: 1 = shl i32 %x, 1
; expect: = udiv
; expect: ^loop:
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %double = add i32 %x, %x
  store volatile i32 %double, ptr %shared
  %shifted = shl i32 %x, 1
  store volatile i32 %shifted, ptr %shared
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %quotient = udiv i32 %x, %y
  store volatile i32 %quotient, ptr %shared
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %z
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
