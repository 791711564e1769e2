; Loads of vectors from a buffer in a loop with barriers also fetch what the same load reads one iteration later: at a
; constant distance, at one that depends on the stride of the rows, and each cache line of a long load. That an index
; may wrap around, and that a load is masked, changes nothing.
; passes: prefetch-staged-loads
; isa: reference
; expect: %0 = getelementptr i8, ptr %along, i64 20
; expect: call void @llvm\.prefetch\.p0\(ptr %0,
; expect: %1 = mul i32 5, %stride
; expect: %4 = getelementptr i8, ptr %down, i64 %3
; expect: call void @llvm\.prefetch\.p0\(ptr %4,
; expect: %5 = getelementptr i8, ptr %masked, i64 20
; expect: call void @llvm\.prefetch\.p0\(ptr %5,
; expect: %6 = getelementptr i8, ptr %back, i64 -20
; expect: call void @llvm\.prefetch\.p0\(ptr %6,
; expect: %7 = getelementptr i8, ptr %6, i64 64
; expect: call void @llvm\.prefetch\.p0\(ptr %7,
; expect-count: 5 call void @llvm\.prefetch
declare !tessera.function !{!"barrier"} void @tessera.barrier(ptr)
define internal void @subgroup(ptr %dispatch, ptr %shared, i32 %x, i32 %y, i32 %z) !tessera.function !{!"subgroup"} {
entry:
  %set = load ptr, ptr %dispatch, !invariant.load !0
  %buffer = load ptr, ptr %set, !invariant.load !0
  br label %turn
turn:
  %k = phi i32 [ 0, %entry ], [ %k.next, %last ]
  br label %rows
rows:
  %row = phi i32 [ 0, %turn ], [ %row.next, %rows ]
  %stride.at = getelementptr i8, ptr %dispatch, i64 8
  %stride = load i32, ptr %stride.at, !invariant.load !0
  %along.start = mul i32 %row, %stride
  %along.index = add i32 %along.start, %k
  %along.wide = zext i32 %along.index to i64
  %along = getelementptr i32, ptr %buffer, i64 %along.wide
  %a = load <4 x i32>, ptr %along, align 4
  store <4 x i32> %a, ptr %shared
  %down.line = add i32 %row, %k
  %down.index = mul i32 %down.line, %stride
  %down.wide = zext i32 %down.index to i64
  %down = getelementptr i32, ptr %buffer, i64 %down.wide
  %b = load <4 x i32>, ptr %down, align 4
  store <4 x i32> %b, ptr %shared
  %index = add i32 %row, %k
  %wide = zext i32 %index to i64
  %wraps = icmp ugt i32 %index, -4
  %signed = sext i32 %index to i64
  %either = select i1 %wraps, i64 %signed, i64 %wide
  %masked = getelementptr i32, ptr %buffer, i64 %either
  %some = icmp ult <4 x i32> <i32 0, i32 1, i32 2, i32 3>, splat (i32 3)
  %c = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %masked, <4 x i1> %some, <4 x i32> zeroinitializer)
  store <4 x i32> %c, ptr %shared
  %back.index = sub i32 %row, %k
  %back.wide = zext i32 %back.index to i64
  %back = getelementptr i32, ptr %buffer, i64 %back.wide
  %d = load <32 x i32>, ptr %back, align 4
  store <32 x i32> %d, ptr %shared
  %row.next = add i32 %row, 1
  %more.rows = icmp ult i32 %row.next, 3
  br i1 %more.rows, label %rows, label %last
last:
  call void @tessera.barrier(ptr %shared)
  %k.next = add i32 %k, 5
  %more = icmp ult i32 %k.next, %z
  br i1 %more, label %turn, label %done
done:
  ret void
}
!0 = !{}
