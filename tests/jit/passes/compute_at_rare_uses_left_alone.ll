; Stays where it is: what a block that always runs needs as well, a division, what is needed behind a branch that says
; nothing of how often, and what would come into a loop, though the loop as a whole is rare.
; passes: compute-at-rare-uses
; isa: reference
; expect: @needed
; expect: = zext
; expect: br i1
; expect: @division
; expect: = udiv
; expect: br i1
; expect: @often
; expect: = zext
; expect: br i1
; expect: @loop
; expect: = zext
; expect: br i1
; expect-count: 3 = zext
; expect-count: 1 = udiv
define internal <32 x i64> @needed(<32 x i32> %index, ptr %p, i1 %test) {
entry:
  %wide = zext <32 x i32> %index to <32 x i64>
  br i1 %test, label %accessed, label %apart, !prof !0
apart:
  store <32 x i64> %wide, ptr %p
  br label %accessed
accessed:
  ret <32 x i64> %wide
}
define internal void @division(<32 x i32> %index, <32 x i32> %by, ptr %p, i1 %test) {
entry:
  %quotient = udiv <32 x i32> %index, %by
  br i1 %test, label %accessed, label %apart, !prof !0
apart:
  store <32 x i32> %quotient, ptr %p
  br label %accessed
accessed:
  ret void
}
define internal void @often(<32 x i32> %index, ptr %p, i1 %test) {
entry:
  %wide = zext <32 x i32> %index to <32 x i64>
  br i1 %test, label %accessed, label %apart
apart:
  store <32 x i64> %wide, ptr %p
  br label %accessed
accessed:
  ret void
}
define internal void @loop(<32 x i32> %index, ptr %p, i1 %test) {
entry:
  %wide = zext <32 x i32> %index to <32 x i64>
  br i1 %test, label %left, label %before, !prof !0
before:
  br label %turn
turn:
  %i = phi i64 [ 0, %before ], [ %next, %turn ]
  %place = getelementptr <32 x i64>, ptr %p, i64 %i
  store <32 x i64> %wide, ptr %place
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %turn, label %left
left:
  ret void
}
!0 = !{!"branch_weights", i32 1048575, i32 1}
