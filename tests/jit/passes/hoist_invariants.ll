; What gives the same in each iteration moves in front of the loop if it is worth a register: loads that do not change, with
; their addresses, divisions, intrinsics. Loads that may fault too, as each iteration does them.
; passes: hoist-invariants
; isa: reference
; expect: ^entry:
; expect: %first = load i32, ptr %dispatch
; expect: %at = getelementptr i8, ptr %dispatch, i64 192
; expect: %second = load i32, ptr %at
; expect: %beyond = load i32, ptr %beyond.at
; expect: %quotient = udiv i32 %x, %z
; expect: %root = call float @llvm\.sqrt\.f32
; expect: ^loop:
; expect: ret void
declare float @llvm.sqrt.f32(float)
define void @kernel(ptr align 8 dereferenceable(256) %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %first = load i32, ptr %dispatch, !invariant.load !0
  %at = getelementptr i8, ptr %dispatch, i64 192
  %second = load i32, ptr %at, !invariant.load !0
  %beyond.at = getelementptr i8, ptr %dispatch, i64 400
  %beyond = load i32, ptr %beyond.at, !invariant.load !0
  %quotient = udiv i32 %x, %z
  %root = call float @llvm.sqrt.f32(float 2.0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %y
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!0 = !{}
