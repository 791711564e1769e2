; Bits are another number's. Nothing is repeated, or as many registers would be converted as after it; and where a value is wanted as it is, too.
; passes: convert-before-replicating
; isa: avx2
; expect: fpext <16 x half> %reversed to <16 x float>
; expect: fpext <8 x half> %one to <8 x float>
; expect: bitcast <16 x half> %twice to <8 x float>
; expect: fpext <32 x half> %met to <32 x float>
; expect-not: fpext <8 x half> %loaded
define internal void @subgroup(ptr %from, ptr %to, i1 %apart) !tessera.function !{!"subgroup"} {
entry:
  %all = load <16 x half>, ptr %from
  %reversed = shufflevector <16 x half> %all, <16 x half> poison, <16 x i32> <i32 15, i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %wide = fpext <16 x half> %reversed to <16 x float>
  store volatile <16 x float> %wide, ptr %to
  %loaded = load <8 x half>, ptr %from
  %one = shufflevector <8 x half> %loaded, <8 x half> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %same = fpext <8 x half> %one to <8 x float>
  store volatile <8 x float> %same, ptr %to
  %twice = shufflevector <8 x half> %loaded, <8 x half> poison, <16 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3, i32 4, i32 4, i32 5, i32 5, i32 6, i32 6, i32 7, i32 7>
  %bits = bitcast <16 x half> %twice to <8 x float>
  store volatile <8 x float> %bits, ptr %to
  br i1 %apart, label %first, label %both
first:
  %again = shufflevector <8 x half> %loaded, <8 x half> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 2, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3, i32 3, i32 4, i32 4, i32 4, i32 4, i32 5, i32 5, i32 5, i32 5, i32 6, i32 6, i32 6, i32 6, i32 7, i32 7, i32 7, i32 7>
  br label %both
both:
  %met = phi <32 x half> [ zeroinitializer, %entry ], [ %again, %first ]
  store volatile <32 x half> %met, ptr %to
  %converted = fpext <32 x half> %met to <32 x float>
  store volatile <32 x float> %converted, ptr %to
  ret void
}
