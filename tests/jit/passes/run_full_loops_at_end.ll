; The same with the test at the end of an iteration, for the lanes that come in: the copy is entered if they are all, and
; left for the loop only if a lane goes on there.
; passes: run-full-loops, promote-arrays
; isa: avx2
; no-remarks: yes
; expect: call i32 @llvm\.sadd\.sat\.i32
; expect-count: 1 load <4 x float>, ptr
; expect-count: 1 call <4 x float> @llvm\.masked\.load
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %some = load <4 x i32>, ptr %d
  %start = icmp ne <4 x i32> %some, zeroinitializer
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %kept, %loop ]
  %mask = phi <4 x i1> [ %start, %entry ], [ %live, %loop ]
  %at = sext i32 %i to i64
  %place = getelementptr float, ptr %d, i64 %at
  %loaded = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %place, <4 x i1> %mask, <4 x float> zeroinitializer)
  %added = fadd <4 x float> %sum, %loaded
  %kept = select <4 x i1> %mask, <4 x float> %added, <4 x float> %sum
  %next = add i32 %i, 4
  %one = insertelement <4 x i32> poison, i32 %next, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %lanes = add <4 x i32> %all, <i32 0, i32 8, i32 2, i32 1>
  %bound = insertelement <4 x i32> poison, i32 %x, i64 0
  %bounds = shufflevector <4 x i32> %bound, <4 x i32> poison, <4 x i32> zeroinitializer
  %more = icmp sgt <4 x i32> %bounds, %lanes
  %live = and <4 x i1> %more, %mask
  %bits = bitcast <4 x i1> %live to i4
  %any = icmp ne i4 %bits, 0
  br i1 %any, label %loop, label %exit
exit:
  store <4 x float> %kept, ptr %shared
  ret void
}
