; A loop over a local array is unrolled. The pass says that it has changed the function: promote-arrays,
; which runs only on changed functions after promote, makes one of two equal shifts.
; passes: promote, unroll-over-arrays, promote-arrays
; isa: reference
; expect-count: 1 = shl i32 %x, 1
; expect-not: = phi
declare void @tessera.debug_printf(ptr)
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %double = add i32 %x, %x
  store volatile i32 %double, ptr %shared
  %shifted = shl i32 %x, 1
  store volatile i32 %shifted, ptr %shared
  %array = alloca [4 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %array, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 4
  br i1 %more, label %loop, label %exit
exit:
  call void @tessera.debug_printf(ptr %array)
  ret void
}
