; Products of the four words of a quadruple whose vector is in two halves, shifted by another number in each lane: the
; words are multiplied as they lie, each lane's shift four times. Where lanes have shifts that are no constants, they
; are not.
; passes: lower-byte-dots
; isa: avx2
; expect-count: 1 lshr <32 x i32> %[0-9]+, <i32 0, i32 0, i32 0, i32 0, i32 4, i32 4, i32 4, i32 4, i32 0,
; expect-count: 4 lshr <8 x i32> %[a-d], %shifts
; expect-not: call <8 x i32> @dot
define internal void @subgroup(ptr %from, ptr %to) !tessera.function !{!"subgroup"} {
  %low = load volatile <16 x i32>, ptr %from
  %high = load volatile <16 x i32>, ptr %from
  %y = load volatile <32 x i32>, ptr %from
  %a = shufflevector <16 x i32> %low, <16 x i32> %high, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %b = shufflevector <16 x i32> %low, <16 x i32> %high, <8 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29>
  %c = shufflevector <16 x i32> %low, <16 x i32> %high, <8 x i32> <i32 2, i32 6, i32 10, i32 14, i32 18, i32 22, i32 26, i32 30>
  %d = shufflevector <16 x i32> %low, <16 x i32> %high, <8 x i32> <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31>
  %ya = shufflevector <32 x i32> %y, <32 x i32> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %yb = shufflevector <32 x i32> %y, <32 x i32> poison, <8 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29>
  %yc = shufflevector <32 x i32> %y, <32 x i32> poison, <8 x i32> <i32 2, i32 6, i32 10, i32 14, i32 18, i32 22, i32 26, i32 30>
  %yd = shufflevector <32 x i32> %y, <32 x i32> poison, <8 x i32> <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31>
  %as = lshr <8 x i32> %a, <i32 0, i32 4, i32 0, i32 4, i32 0, i32 4, i32 0, i32 4>
  %bs = lshr <8 x i32> %b, <i32 0, i32 4, i32 0, i32 4, i32 0, i32 4, i32 0, i32 4>
  %cs = lshr <8 x i32> %c, <i32 0, i32 4, i32 0, i32 4, i32 0, i32 4, i32 0, i32 4>
  %ds = lshr <8 x i32> %d, <i32 0, i32 4, i32 0, i32 4, i32 0, i32 4, i32 0, i32 4>
  %am = and <8 x i32> %as, splat (i32 252645135)
  %bm = and <8 x i32> %bs, splat (i32 252645135)
  %cm = and <8 x i32> %cs, splat (i32 252645135)
  %dm = and <8 x i32> %ds, splat (i32 252645135)
  %d0 = call <8 x i32> @dot(<8 x i32> %am, <8 x i32> %ya, i1 true, i1 true)
  %d1 = call <8 x i32> @dot(<8 x i32> %bm, <8 x i32> %yb, i1 true, i1 true)
  %d2 = call <8 x i32> @dot(<8 x i32> %cm, <8 x i32> %yc, i1 true, i1 true)
  %d3 = call <8 x i32> @dot(<8 x i32> %dm, <8 x i32> %yd, i1 true, i1 true)
  %d01 = add <8 x i32> %d0, %d1
  %d012 = add <8 x i32> %d01, %d2
  %all = add <8 x i32> %d012, %d3
  store volatile <8 x i32> %all, ptr %to
  %shifts = load volatile <8 x i32>, ptr %from
  %at = lshr <8 x i32> %a, %shifts
  %bt = lshr <8 x i32> %b, %shifts
  %ct = lshr <8 x i32> %c, %shifts
  %dt = lshr <8 x i32> %d, %shifts
  %e0 = call <8 x i32> @dot(<8 x i32> %at, <8 x i32> %ya, i1 true, i1 true)
  %e1 = call <8 x i32> @dot(<8 x i32> %bt, <8 x i32> %yb, i1 true, i1 true)
  %e2 = call <8 x i32> @dot(<8 x i32> %ct, <8 x i32> %yc, i1 true, i1 true)
  %e3 = call <8 x i32> @dot(<8 x i32> %dt, <8 x i32> %yd, i1 true, i1 true)
  %e01 = add <8 x i32> %e0, %e1
  %e012 = add <8 x i32> %e01, %e2
  %others = add <8 x i32> %e012, %e3
  store volatile <8 x i32> %others, ptr %to
  ret void
}
declare !tessera.function !{!"byte_dot", i64 8} <8 x i32> @dot(<8 x i32>, <8 x i32>, i1, i1) memory(none) nounwind willreturn
