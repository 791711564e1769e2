; The first subgroups of all workgroups of a call run, then their second ones: memory is read in rows. A loop of few
; iterations does not matter.
; passes: build-workgroup-kernel
; isa: avx512
; expect: define void @.*\(ptr .*, ptr .*, i32 %2, i32 %3, i32 %4, i32 %5\)
; expect: %row\.end = add nuw nsw i32 %2, %5
; expect: shl i32 %workgroup\.x, 4
; expect: icmp ult i32 .*, %row\.end
; expect: subgroup\.start:
; expect: %subgroup = phi i32
; expect: workgroup\.start:
; expect: %workgroup\.x = phi i32 \[ %2, %subgroup\.start \]
; expect: icmp ult i32 .*, 8
define internal void @subgroup(ptr %dispatch, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %memory = load ptr, ptr %dispatch
  %row = shl i32 %stream, 10
  %column = shl i32 %x, 4
  %at = add i32 %row, %column
  %p = getelementptr float, ptr %memory, i32 %at
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr <32 x float>, ptr %p, i32 %k
  store <32 x float> zeroinitializer, ptr %q
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!tessera.kernel = !{!0, !1, !2}
!0 = !{!"lanes", i64 32}
!1 = !{!"streams", i64 8}
!2 = !{!"rows", i64 16}
