; A loop that is left at its end whatever happens: its way back, which is never taken, is not one out of it.
; passes: unroll-over-arrays
; expect: store volatile <32 x float> %a, ptr %to
define internal void @subgroup(ptr %from, ptr %to, i1 %early) !tessera.function !{!"subgroup"} {
entry:
  br label %loop
loop:
  %again = phi i1 [ false, %entry ], [ true, %end ]
  %a = load volatile <32 x float>, ptr %from
  store volatile <32 x float> %a, ptr %to
  br i1 %early, label %behind, label %end
end:
  br i1 true, label %behind, label %loop
behind:
  ret void
}
