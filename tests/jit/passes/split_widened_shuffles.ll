; Halves that are picked out of what was loaded and converted: a shuffle and a conversion for each register. Where something
; else wants the picked halves too, and where one register has the result, they stay.
; passes: split-widened-shuffles
; isa: avx2
; expect-count: 3 shufflevector <32 x half> %loaded, <32 x half> poison, <8 x i32>
; expect-count: 2 = fpext <8 x half> %[0-9]+ to <8 x float>
; expect: %both = shufflevector
; expect: fpext <16 x half> %both to <16 x float>
; expect: fpext <8 x half> %few to <8 x float>
define internal void @subgroup(ptr %from, ptr %to) !tessera.function !{!"subgroup"} {
  %loaded = load <32 x half>, ptr %from
  %even = shufflevector <32 x half> %loaded, <32 x half> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
  %wide = fpext <16 x half> %even to <16 x float>
  store volatile <16 x float> %wide, ptr %to
  %both = shufflevector <32 x half> %loaded, <32 x half> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
  store volatile <16 x half> %both, ptr %to
  %wider = fpext <16 x half> %both to <16 x float>
  store volatile <16 x float> %wider, ptr %to
  %few = shufflevector <32 x half> %loaded, <32 x half> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %narrow = fpext <8 x half> %few to <8 x float>
  store volatile <8 x float> %narrow, ptr %to
  ret void
}
