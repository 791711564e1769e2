; Of what only some iterations do, nothing moves in front of the loop that could fault there: a load of bytes that are known
; to be accessible does, one behind them and a division do not.
; passes: hoist-invariants
; isa: reference
; expect: ^entry:
; expect: %inside = load i32, ptr %dispatch
; expect: ^loop:
; expect: ^some:
; expect: %beyond = load i32, ptr %beyond.at
; expect: %quotient = udiv i32 %x, %z
; expect: ^again:
define void @kernel(ptr align 8 dereferenceable(256) %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %some, label %again
some:
  %inside = load i32, ptr %dispatch, !invariant.load !0
  %beyond.at = getelementptr i8, ptr %dispatch, i64 400
  %beyond = load i32, ptr %beyond.at, !invariant.load !0
  %quotient = udiv i32 %x, %z
  br label %again
again:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %y
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!0 = !{}
