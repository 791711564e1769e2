; One workgroup after the other where a loop may read much: what its subgroups have in common stays in the cache.
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
  %count = load i32, ptr %memory
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr <32 x float>, ptr %p, i32 %k
  store <32 x float> zeroinitializer, ptr %q
  %next = add nuw i32 %k, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!tessera.kernel = !{!0, !1, !2}
!0 = !{!"lanes", i64 32}
!1 = !{!"streams", i64 8}
!2 = !{!"rows", i64 16}
