; What is read of a buffer twice is read once, though workgroup memory and the subgroup's own are written in between, at
; places that are not known. Behind a store to another buffer, to a number as an address, and behind a barrier, it is
; read again.
; passes: promote-arrays
; isa: reference
; expect: store volatile i32 %first, ptr %frame
; expect: store volatile i32 %first, ptr %frame
; expect: %third = load i32
; expect: %fourth = load i32
; expect: %fifth = load i32
declare !tessera.function !{!"barrier"} void @tessera.barrier(ptr)
define internal void @subgroup(ptr noalias %dispatch, ptr noalias %shared, ptr noalias %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
  %set = load ptr, ptr %dispatch, !invariant.load !0
  %from = load ptr, ptr %set, !invariant.load !0
  %at = getelementptr i8, ptr %set, i64 16
  %to = load ptr, ptr %at, !invariant.load !0
  %own = load volatile i64, ptr %frame
  %first = load i32, ptr %from
  store volatile i32 %first, ptr %frame
  br label %second.part
second.part:
  %place = getelementptr i8, ptr %shared, i64 %own
  %again = load i32, ptr %from
  store i32 %again, ptr %place
  %slot = getelementptr i8, ptr %frame, i64 %own
  store i32 %x, ptr %slot
  %second = load i32, ptr %from
  store volatile i32 %second, ptr %frame
  store i32 %y, ptr %to
  %third = load i32, ptr %from
  store volatile i32 %third, ptr %frame
  %address = inttoptr i64 %own to ptr
  store i32 %z, ptr %address
  %fourth = load i32, ptr %from
  store volatile i32 %fourth, ptr %frame
  call void @tessera.barrier(ptr %shared)
  %fifth = load i32, ptr %from
  store volatile i32 %fifth, ptr %frame
  ret void
}
!0 = !{}
