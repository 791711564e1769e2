; Scales of which four invocations have the same one: they are converted where they are loaded, also where
; another side of a branch has one for each invocation.
; passes: convert-before-replicating
; isa: avx2
; expect-count: 2 fpext <8 x half> %loaded to <8 x float>
; expect-count: 2 shufflevector <8 x float>
; expect: fpext <32 x half> %each to <32 x float>
; expect: phi <32 x float>
; expect-not: phi <32 x half>
; expect-not: shufflevector <8 x half>
define internal void @subgroup(ptr %from, ptr %to, i1 %apart) !tessera.function !{!"subgroup"} {
entry:
  %loaded = load <8 x half>, ptr %from
  %four = shufflevector <8 x half> %loaded, <8 x half> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 2, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3, i32 3, i32 4, i32 4, i32 4, i32 4, i32 5, i32 5, i32 5, i32 5, i32 6, i32 6, i32 6, i32 6, i32 7, i32 7, i32 7, i32 7>
  %wide = fpext <32 x half> %four to <32 x float>
  store volatile <32 x float> %wide, ptr %to
  br i1 %apart, label %one, label %other
one:
  %each = load <32 x half>, ptr %to
  br label %both
other:
  %again = shufflevector <8 x half> %loaded, <8 x half> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 2, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3, i32 3, i32 4, i32 4, i32 4, i32 4, i32 5, i32 5, i32 5, i32 5, i32 6, i32 6, i32 6, i32 6, i32 7, i32 7, i32 7, i32 7>
  br label %both
both:
  %met = phi <32 x half> [ %each, %one ], [ %again, %other ]
  %converted = fpext <32 x half> %met to <32 x float>
  store volatile <32 x float> %converted, ptr %to
  ret void
}
