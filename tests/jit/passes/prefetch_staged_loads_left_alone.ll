; Nothing is fetched where a load reads the same place in the next iteration, where its next place cannot be told, where
; the memory is the workgroup's own, and in a loop without a barrier.
; passes: prefetch-staged-loads
; isa: reference
; expect-count: 0 @llvm\.prefetch
; expect-count: 7 load <4 x i32>
declare !tessera.function !{!"barrier"} void @tessera.barrier(ptr)
define internal void @subgroup(ptr %dispatch, ptr %shared, i32 %x, i32 %y, i32 %z) !tessera.function !{!"subgroup"} {
entry:
  %set = load ptr, ptr %dispatch, !invariant.load !0
  %buffer = load ptr, ptr %set, !invariant.load !0
  %local = alloca [1024 x i32]
  br label %turn
turn:
  %k = phi i32 [ 0, %entry ], [ %k.next, %last ]
  br label %rows
rows:
  %row = phi i32 [ 0, %turn ], [ %row.next, %rows ]
  %stride.at = getelementptr i8, ptr %dispatch, i64 8
  %stride = load i32, ptr %stride.at, !invariant.load !0
  %same.index = mul i32 %row, %stride
  %same.wide = zext i32 %same.index to i64
  %same = getelementptr i32, ptr %buffer, i64 %same.wide
  %a = load <4 x i32>, ptr %same, align 4
  store <4 x i32> %a, ptr %shared
  %square.index = mul i32 %k, %k
  %square.wide = zext i32 %square.index to i64
  %square = getelementptr i32, ptr %buffer, i64 %square.wide
  %b = load <4 x i32>, ptr %square, align 4
  store <4 x i32> %b, ptr %shared
  %ring.index = and i32 %k, 15
  %ring.wide = zext i32 %ring.index to i64
  %ring = getelementptr i32, ptr %buffer, i64 %ring.wide
  %c = load <4 x i32>, ptr %ring, align 4
  store <4 x i32> %c, ptr %shared
  %link.at = getelementptr i32, ptr %buffer, i32 %k
  %link.index = load i32, ptr %link.at
  %link.wide = zext i32 %link.index to i64
  %link = getelementptr i32, ptr %buffer, i64 %link.wide
  %d = load <4 x i32>, ptr %link, align 4
  store <4 x i32> %d, ptr %shared
  %index = add i32 %row, %k
  %wide = zext i32 %index to i64
  %in.shared = getelementptr i32, ptr %shared, i64 %wide
  %e = load <4 x i32>, ptr %in.shared, align 4
  store <4 x i32> %e, ptr %shared
  %in.local = getelementptr i32, ptr %local, i64 %wide
  %f = load <4 x i32>, ptr %in.local, align 4
  store <4 x i32> %f, ptr %shared
  %row.next = add i32 %row, 1
  %more.rows = icmp ult i32 %row.next, 3
  br i1 %more.rows, label %rows, label %last
last:
  call void @tessera.barrier(ptr %shared)
  %k.next = add i32 %k, 5
  %more = icmp ult i32 %k.next, %z
  br i1 %more, label %turn, label %free
free:
  %n = phi i32 [ 0, %last ], [ %n.next, %free ]
  %n.wide = zext i32 %n to i64
  %free.at = getelementptr i32, ptr %buffer, i64 %n.wide
  %g = load <4 x i32>, ptr %free.at, align 4
  store <4 x i32> %g, ptr %shared
  %n.next = add i32 %n, 5
  %n.more = icmp ult i32 %n.next, %z
  br i1 %n.more, label %free, label %done
done:
  ret void
}
!0 = !{}
