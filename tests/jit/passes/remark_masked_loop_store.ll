; What is written before the test would be written twice in the iteration in which the loop takes over from a copy.
; passes: run-full-loops
; isa: avx2
; remark: it writes to memory before it asks whether to go on
; expect-count: 1 store i32 %i
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %added, %body ]
  %last = phi <4 x float> [ undef, %entry ], [ %kept, %body ]
  %mask = phi <4 x i1> [ splat (i1 true), %entry ], [ %live, %body ]
  %kept = select <4 x i1> %mask, <4 x float> %sum, <4 x float> %last
  %one = insertelement <4 x i32> poison, i32 %i, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %lanes = or disjoint <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %bound = insertelement <4 x i32> poison, i32 %x, i64 0
  %bounds = shufflevector <4 x i32> %bound, <4 x i32> poison, <4 x i32> zeroinitializer
  %less = icmp ult <4 x i32> %lanes, %bounds
  %live = and <4 x i1> %mask, %less
  %bits = bitcast <4 x i1> %live to i4
  %none = icmp eq i4 %bits, 0
  store i32 %i, ptr %frame
  br i1 %none, label %exit, label %body
body:
  %at = zext i32 %i to i64
  %place = getelementptr float, ptr %d, i64 %at
  %loaded = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %place, <4 x i1> %live, <4 x float> zeroinitializer)
  %added = fadd <4 x float> %sum, %loaded
  %next = add i32 %i, 4
  br label %loop
exit:
  store <4 x float> %kept, ptr %shared
  ret void
}
