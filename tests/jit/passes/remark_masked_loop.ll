; A loop in which invocations decide by what they compute stays masked.
; passes: run-full-loops
; isa: avx2
; remark: how often an invocation goes round is no comparison of integers
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  br label %loop
loop:
  %v = phi <4 x float> [ splat (float 1.0), %entry ], [ %squared, %loop ]
  %mask = phi <4 x i1> [ splat (i1 true), %entry ], [ %live, %loop ]
  %squared = fmul <4 x float> %v, %v
  %small = fcmp olt <4 x float> %squared, splat (float 4.0)
  %live = and <4 x i1> %mask, %small
  %bits = bitcast <4 x i1> %live to i4
  %any = icmp ne i4 %bits, 0
  br i1 %any, label %loop, label %exit
exit:
  store <4 x float> %v, ptr %shared
  ret void
}
