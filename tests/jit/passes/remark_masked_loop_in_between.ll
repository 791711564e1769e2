; What is written before the test would be written again where the loop takes over: no copy, and a remark that says so.
; passes: run-full-loops, promote-arrays
; isa: avx2
; remark: masked-loop: it writes to memory before it asks whether to go on
; expect-count: 0 load <4 x float>, ptr
; expect-count: 2 call <4 x float> @llvm\.masked\.load
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %fast = icmp eq i32 %y, 0
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %on ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %kept, %on ]
  %mask = phi <4 x i1> [ splat (i1 true), %entry ], [ %rest, %on ]
  %goes = icmp ult i32 %i, %z
  br i1 %goes, label %body, label %exit
body:
  %at = sext i32 %i to i64
  %place = getelementptr float, ptr %d, i64 %at
  store i32 %i, ptr %shared
  br i1 %fast, label %whole, label %bounded
whole:
  %first = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %place, <4 x i1> %mask, <4 x float> zeroinitializer)
  %twice = fadd <4 x float> %first, %first
  %sum1 = fadd <4 x float> %sum, %twice
  %kept1 = select <4 x i1> %mask, <4 x float> %sum1, <4 x float> %sum
  br label %join
bounded:
  %one = insertelement <4 x i32> poison, i32 %i, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %lanes = add <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %bound = insertelement <4 x i32> poison, i32 %x, i64 0
  %bounds = shufflevector <4 x i32> %bound, <4 x i32> poison, <4 x i32> zeroinitializer
  %outside = icmp uge <4 x i32> %lanes, %bounds
  %inside = xor <4 x i1> %outside, splat (i1 true)
  %live = and <4 x i1> %mask, %inside
  %bits = bitcast <4 x i1> %live to i4
  %none = icmp eq i4 %bits, 0
  br i1 %none, label %exit, label %some
some:
  %loaded = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %place, <4 x i1> %live, <4 x float> zeroinitializer)
  %sum2 = fadd <4 x float> %sum, %loaded
  %kept2 = select <4 x i1> %live, <4 x float> %sum2, <4 x float> %sum
  br label %join
join:
  %kept = phi <4 x float> [ %kept1, %whole ], [ %kept2, %some ]
  %rest = phi <4 x i1> [ %mask, %whole ], [ %live, %some ]
  %left = bitcast <4 x i1> %rest to i4
  %nobody = icmp eq i4 %left, 0
  br i1 %nobody, label %exit, label %on
on:
  %next = add i32 %i, 4
  br label %loop
exit:
  %result = phi <4 x float> [ %sum, %loop ], [ %sum, %bounded ], [ %kept, %join ]
  store <4 x float> %result, ptr %shared
  ret void
}
