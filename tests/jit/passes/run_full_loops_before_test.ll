; A mask of those who go on that is used before the loop asks whether there are any: lanes may be missing from it where it
; is used, in the copy without masks, too.
; passes: run-full-loops, promote-arrays
; isa: avx2
; no-remarks: yes
; expect-count: 1 load <4 x float>, ptr
; expect-count: 1 call <4 x float> @llvm\.masked\.load
; expect: @llvm\.masked\.store\.v4f32\.p0\(.*<4 x i1> %more\.full\)
; expect: @llvm\.masked\.store\.v4f32\.p0\(.*<4 x i1> %live\)
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %mask = phi <4 x i1> [ splat (i1 true), %entry ], [ %live, %latch ]
  %at = sext i32 %i to i64
  %place = getelementptr float, ptr %d, i64 %at
  %loaded = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %place, <4 x i1> %mask, <4 x float> zeroinitializer)
  %next = add i32 %i, 4
  %one = insertelement <4 x i32> poison, i32 %next, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %lanes = add <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %bound = insertelement <4 x i32> poison, i32 %x, i64 0
  %bounds = shufflevector <4 x i32> %bound, <4 x i32> poison, <4 x i32> zeroinitializer
  %more = icmp ult <4 x i32> %lanes, %bounds
  %live = and <4 x i1> %mask, %more
  %further = getelementptr float, ptr %place, i64 4
  call void @llvm.masked.store.v4f32.p0(<4 x float> %loaded, ptr align 4 %further, <4 x i1> %live)
  %odd = trunc i32 %y to i1
  br i1 %odd, label %between, label %latch
between:
  store i32 %i, ptr %shared
  br label %latch
latch:
  %bits = bitcast <4 x i1> %live to i4
  %any = icmp ne i4 %bits, 0
  br i1 %any, label %loop, label %exit
exit:
  ret void
}
