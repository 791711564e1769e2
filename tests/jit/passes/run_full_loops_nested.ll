; An outer loop that lanes leave when their own count is done, with a loop inside of it that all go round alike: both
; have a copy. What the inner one computes is read behind the outer one.
; passes: run-full-loops, promote-arrays
; isa: avx2
; no-remarks: yes
; expect: phi <4 x i32> .*%last\.full
; expect-count: 1 br i1 %.*, label %inner\.full
; expect-count: 1 icmp ult i32 %m\.full, 7
; expect-count: 1 icmp ult i32 %m, 7
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %bound = insertelement <4 x i32> poison, i32 %x, i64 0
  %bounds = shufflevector <4 x i32> %bound, <4 x i32> poison, <4 x i32> zeroinitializer
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %mask = phi <4 x i1> [ splat (i1 true), %entry ], [ %live, %end ]
  br label %inner
inner:
  %m = phi i32 [ 0, %loop ], [ %m1, %inner ]
  %sum = phi <4 x i32> [ zeroinitializer, %loop ], [ %last, %inner ]
  %at = zext i32 %m to i64
  %place = getelementptr i32, ptr %d, i64 %at
  %loaded = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %place, <4 x i1> %mask, <4 x i32> zeroinitializer)
  %last = add <4 x i32> %sum, %loaded
  %m1 = add i32 %m, 1
  %again = icmp ult i32 %m, 7
  br i1 %again, label %inner, label %end
end:
  %next = add i32 %i, 4
  %one = insertelement <4 x i32> poison, i32 %next, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %lanes = or disjoint <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %less = icmp ult <4 x i32> %lanes, %bounds
  %live = and <4 x i1> %mask, %less
  %bits = bitcast <4 x i1> %live to i4
  %none = icmp eq i4 %bits, 0
  br i1 %none, label %exit, label %loop
exit:
  store <4 x i32> %last, ptr %shared
  ret void
}
