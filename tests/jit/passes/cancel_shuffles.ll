; Vectors of four numbers that are taken apart, treated alike and put together again stay as they lie in memory.
; passes: cancel-shuffles
; isa: avx2
; no-remarks: yes
; expect-count: 0 <i32 0, i32 4, i32 8, i32 12>
; expect: fadd <16 x float>
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %all = load <16 x float>, ptr %d, align 4
  %x0 = shufflevector <16 x float> %all, <16 x float> poison, <4 x i32> <i32 0, i32 4, i32 8, i32 12>
  %x1 = shufflevector <16 x float> %all, <16 x float> poison, <4 x i32> <i32 1, i32 5, i32 9, i32 13>
  %x2 = shufflevector <16 x float> %all, <16 x float> poison, <4 x i32> <i32 2, i32 6, i32 10, i32 14>
  %x3 = shufflevector <16 x float> %all, <16 x float> poison, <4 x i32> <i32 3, i32 7, i32 11, i32 15>
  %y0 = fadd <4 x float> %x0, splat (float 1.0)
  %y1 = fadd <4 x float> %x1, splat (float 1.0)
  %y2 = fadd <4 x float> %x2, splat (float 1.0)
  %y3 = fadd <4 x float> %x3, splat (float 1.0)
  %y01 = shufflevector <4 x float> %y0, <4 x float> %y1, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %y23 = shufflevector <4 x float> %y2, <4 x float> %y3, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %result = shufflevector <8 x float> %y01, <8 x float> %y23, <16 x i32> <i32 0, i32 4, i32 8, i32 12, i32 1, i32 5, i32 9, i32 13, i32 2, i32 6, i32 10, i32 14, i32 3, i32 7, i32 11, i32 15>
  store <16 x float> %result, ptr %shared, align 4
  ret void
}
