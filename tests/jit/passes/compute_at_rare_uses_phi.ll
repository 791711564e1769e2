; What a phi gets on a path that is rarely taken is computed on that path, in a block of its own. Not what it gets on
; a path that is often taken, nor at a loop's end.
; passes: compute-at-rare-uses
; isa: reference
; expect: @paths
; expect: ^entry:
; expect: = zext <32 x i32>
; expect: br i1
; expect: ^entry\.apart_crit_edge:
; expect: = shl <32 x i64>
; expect: ^other:
; expect: = phi <32 x i64> \[ .*, %entry\.apart_crit_edge \]
; expect: @turns
; expect: ^loop:
; expect: = shl <32 x i64>
; expect: br i1
define internal void @paths(<32 x i32> %index, ptr %p, i1 %test, i1 %test2) {
entry:
  %wide = zext <32 x i32> %index to <32 x i64>
  %offset = shl <32 x i64> %wide, splat (i64 2)
  br i1 %test, label %together, label %apart, !prof !0
together:
  br i1 %test2, label %other, label %exit
other:
  br label %apart
apart:
  %offsets = phi <32 x i64> [ %offset, %entry ], [ %wide, %other ]
  %to = getelementptr i8, ptr %p, <32 x i64> %offsets
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %index, <32 x ptr> %to, i32 4, <32 x i1> splat (i1 true))
  br label %exit
exit:
  ret void
}
define internal void @turns(<32 x i64> %index, ptr %p, i1 %test) {
entry:
  br label %loop
loop:
  %at = phi <32 x i64> [ %index, %entry ], [ %next, %loop ]
  %next = shl <32 x i64> %at, splat (i64 1)
  br i1 %test, label %exit, label %loop, !prof !0
exit:
  ret void
}
!0 = !{!"branch_weights", i32 2000, i32 1}
