; Addresses of a gather and a scatter that stand behind tests are computed where these stand. Each block has its own
; copies, and nothing is left before.
; passes: compute-at-rare-uses
; isa: reference
; expect: @two
; expect: ^entry:
; expect: br i1
; expect: ^apart:
; expect: = zext <32 x i32>
; expect: = shl <32 x i64>
; expect: masked.gather
; expect: ^apart2:
; expect: = zext <32 x i32>
; expect: = shl <32 x i64>
; expect: masked.scatter
; expect: @turns
; expect: ^apart:
; expect: = zext <32 x i32>
; expect: masked.gather
; expect-count: 3 = zext <32 x i32>
define internal void @two(<32 x i32> %index, ptr %p, i1 %test, i1 %test2) {
entry:
  %wide = zext <32 x i32> %index to <32 x i64>
  %offset = shl <32 x i64> %wide, splat (i64 2)
  br i1 %test, label %together, label %apart, !prof !0
together:
  %near = load <32 x float>, ptr %p
  br label %accessed
apart:
  %from = getelementptr i8, ptr %p, <32 x i64> %offset
  %far = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %from, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  br label %accessed
accessed:
  %value = phi <32 x float> [ %near, %together ], [ %far, %apart ]
  br i1 %test2, label %together2, label %apart2, !prof !0
together2:
  store <32 x float> %value, ptr %p
  br label %accessed2
apart2:
  %to = getelementptr i8, ptr %p, <32 x i64> %offset
  call void @llvm.masked.scatter.v32f32.v32p0(<32 x float> %value, <32 x ptr> %to, i32 4, <32 x i1> splat (i1 true))
  br label %accessed2
accessed2:
  ret void
}
; In a loop too: few iterations of it take the rare way.
define internal void @turns(<32 x i32> %index, ptr %p) {
entry:
  %wide = zext <32 x i32> %index to <32 x i64>
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %accessed ]
  %near = getelementptr float, ptr %p, i64 %i
  %test = load i1, ptr %near
  br i1 %test, label %accessed, label %apart, !prof !0
apart:
  %from = getelementptr float, ptr %near, <32 x i64> %wide
  %far = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %from, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  store <32 x float> %far, ptr %p
  br label %accessed
accessed:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %left
left:
  ret void
}
!0 = !{!"branch_weights", i32 1048575, i32 1}
