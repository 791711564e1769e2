; Loops around each other that go round once, as those over a single row and column are: none is left, though
; the inner one's last copy has a branch that is never taken, out of the outer one.
; passes: unroll-over-arrays
; expect: store volatile <32 x float> %sum, ptr %to
; expect-not: phi
define internal void @subgroup(ptr %from, ptr %to) !tessera.function !{!"subgroup"} {
entry:
  br label %rows
rows:
  %row = phi i1 [ true, %entry ], [ false, %columns ]
  br i1 %row, label %columns, label %behind
columns:
  %column = phi i1 [ true, %rows ], [ false, %body ]
  br i1 %column, label %body, label %rows
body:
  %a = load volatile <32 x float>, ptr %from
  %b = load volatile <32 x float>, ptr %to
  %sum = fadd <32 x float> %a, %b
  store volatile <32 x float> %sum, ptr %to
  br label %columns
behind:
  ret void
}
