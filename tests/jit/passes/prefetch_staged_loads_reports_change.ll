; A load in a loop with barriers is fetched ahead. The pass says that it has changed the function: promote-arrays,
; which runs only on changed functions after promote, makes one of two equal shifts.
; passes: promote, prefetch-staged-loads, promote-arrays
; isa: reference
; expect-count: 1 = shl i32 %x, 1
; expect-count: 1 call void @llvm\.prefetch
declare !tessera.function !{!"barrier"} void @tessera.barrier(ptr)
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %double = add i32 %x, %x
  store volatile i32 %double, ptr %shared
  %shifted = shl i32 %x, 1
  store volatile i32 %shifted, ptr %shared
  %buffer = load ptr, ptr %d, !invariant.load !0
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %wide = zext i32 %k to i64
  %at = getelementptr i32, ptr %buffer, i64 %wide
  %v = load <4 x i32>, ptr %at, align 4
  store <4 x i32> %v, ptr %shared
  call void @tessera.barrier(ptr %shared)
  %next = add i32 %k, 8
  %more = icmp ult i32 %next, %z
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!0 = !{}
