; Passes that find nothing to do say so: promote-arrays, which runs only on changed functions after promote, does not
; make one of two equal shifts.
; passes: promote, unroll-over-arrays, prefetch-staged-loads, hoist-invariants, drop-choices-by-empty-masks
; passes: compare-at-uses, promote-arrays
; isa: reference
; expect-count: 2 = shl i32 %x, 1
; expect: = phi
; expect: udiv
; expect: select i1
declare void @tessera.debug_printf(ptr)
declare !tessera.function !{!"barrier"} void @tessera.barrier(ptr)
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %double = add i32 %x, %x
  store volatile i32 %double, ptr %shared
  %shifted = shl i32 %x, 1
  store volatile i32 %shifted, ptr %shared
  %array = alloca [65 x i32]
  %buffer = load ptr, ptr %d, !invariant.load !0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %again ]
  %at = getelementptr i32, ptr %array, i64 %i
  store i32 1, ptr %at
  %square = mul i64 %i, %i
  %far = getelementptr i32, ptr %buffer, i64 %square
  %v = load <4 x i32>, ptr %far, align 4
  store <4 x i32> %v, ptr %shared
  call void @tessera.barrier(ptr %shared)
  %odd = trunc i64 %i to i1
  br i1 %odd, label %some, label %again
some:
  %quotient = udiv i32 %x, %y
  store volatile i32 %quotient, ptr %shared
  br label %again
again:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 65
  br i1 %more, label %loop, label %exit
exit:
  call void @tessera.debug_printf(ptr %array)
  %a = load <32 x i32>, ptr %d
  %b = load <32 x i32>, ptr %frame
  %more.at = getelementptr i8, ptr %frame, i64 128
  %c = load <32 x i32>, ptr %more.at
  %m0 = icmp slt <32 x i32> %a, %c
  %bits = bitcast <32 x i1> %m0 to i32
  %nobody = icmp eq i32 %bits, 0
  %inner = select <32 x i1> %m0, <32 x i32> %b, <32 x i32> %a
  %outer = select i1 %nobody, <32 x i32> %b, <32 x i32> %inner
  store <32 x i32> %outer, ptr %frame
  %m1 = icmp eq <32 x i32> %a, zeroinitializer
  %chosen = select <32 x i1> %m1, <32 x i32> %b, <32 x i32> %a
  store <32 x i32> %chosen, ptr %shared
  ret void
}
!0 = !{}
