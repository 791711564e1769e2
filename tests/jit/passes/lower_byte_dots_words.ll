; Products of both words of a pair, on both sides, whose sum is wanted: pairs are multiplied as they lie, a register
; at a time, also where the words are first masked alike. Products of one of them, and of words that cross, are not.
; passes: lower-byte-dots
; isa: avx2
; expect-count: 5 bitcast <32 x i64> %[ab] to <64 x i32>
; expect-count: 8 shufflevector <8 x i32> .*, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
; expect-count: 1 and <64 x i32> %[0-9]+, splat \(i32 252645135\)
; expect-not: call <32 x i32> @dot
define internal void @subgroup(ptr %from, ptr %to) !tessera.function !{!"subgroup"} {
  %a = load volatile <32 x i64>, ptr %from
  %b = load volatile <32 x i64>, ptr %from
  %a0 = trunc <32 x i64> %a to <32 x i32>
  %a.shifted = lshr <32 x i64> %a, splat (i64 32)
  %a.low = and <32 x i64> %a.shifted, splat (i64 65535)
  %a.high = lshr <32 x i64> %a, splat (i64 48)
  %a.place = shl <32 x i64> %a.high, splat (i64 16)
  %a.both = or <32 x i64> %a.place, %a.low
  %a1 = trunc <32 x i64> %a.both to <32 x i32>
  %b.words = bitcast <32 x i64> %b to <64 x i32>
  %b0 = shufflevector <64 x i32> %b.words, <64 x i32> poison, <32 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30, i32 32, i32 34, i32 36, i32 38, i32 40, i32 42, i32 44, i32 46, i32 48, i32 50, i32 52, i32 54, i32 56, i32 58, i32 60, i32 62>
  %b1 = shufflevector <64 x i32> %b.words, <64 x i32> poison, <32 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31, i32 33, i32 35, i32 37, i32 39, i32 41, i32 43, i32 45, i32 47, i32 49, i32 51, i32 53, i32 55, i32 57, i32 59, i32 61, i32 63>
  %d0 = call <32 x i32> @dot(<32 x i32> %a0, <32 x i32> %b0, i1 true, i1 true)
  %d1 = call <32 x i32> @dot(<32 x i32> %a1, <32 x i32> %b1, i1 true, i1 true)
  %both = add <32 x i32> %d0, %d1
  store volatile <32 x i32> %both, ptr %to
  %m0 = and <32 x i32> %a0, splat (i32 252645135)
  %m1 = and <32 x i32> %a1, splat (i32 252645135)
  %e1 = call <32 x i32> @dot(<32 x i32> %m1, <32 x i32> %b1, i1 true, i1 true)
  %e0 = call <32 x i32> @dot(<32 x i32> %m0, <32 x i32> %b0, i1 true, i1 true)
  %before = load volatile <32 x i32>, ptr %to
  %masked0 = add <32 x i32> %before, %e1
  %masked = add <32 x i32> %masked0, %e0
  store volatile <32 x i32> %masked, ptr %to
  %c0 = call <32 x i32> @dot(<32 x i32> %a0, <32 x i32> %b1, i1 true, i1 true)
  %c1 = call <32 x i32> @dot(<32 x i32> %a1, <32 x i32> %b0, i1 true, i1 true)
  %crossed = add <32 x i32> %c0, %c1
  store volatile <32 x i32> %crossed, ptr %to
  %one = call <32 x i32> @dot(<32 x i32> %a0, <32 x i32> %b0, i1 true, i1 true)
  store volatile <32 x i32> %one, ptr %to
  ret void
}
declare !tessera.function !{!"byte_dot", i64 32} <32 x i32> @dot(<32 x i32>, <32 x i32>, i1, i1) memory(none) nounwind willreturn
