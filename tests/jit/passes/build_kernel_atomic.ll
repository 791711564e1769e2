; One workgroup after the other where invocations could wait for those of others: by an atomic here.
; passes: build-workgroup-kernel
; isa: avx512
; expect: %subgroup = phi i32
; expect-count: 0 workgroup\.start
define internal void @subgroup(ptr %dispatch, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %memory = load ptr, ptr %dispatch
  %row = shl i32 %stream, 10
  %column = shl i32 %x, 4
  %at = add i32 %row, %column
  %p = getelementptr float, ptr %memory, i32 %at
  %flag = load atomic i32, ptr %p monotonic, align 4
  store i32 %flag, ptr %memory
  ret void
}
!tessera.kernel = !{!0, !1, !2}
!0 = !{!"lanes", i64 32}
!1 = !{!"streams", i64 8}
!2 = !{!"rows", i64 16}
