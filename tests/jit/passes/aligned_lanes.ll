; A comparison that is the same for all lanes, since they begin at a multiple of their number.
; passes: aligned-lanes
; isa: avx2
; expect: icmp ult i32
; expect-not: icmp ult <4 x i32>
define internal void @subgroup(i32 %group, ptr %result) {
  %first = shl i32 %group, 2
  %one = insertelement <4 x i32> poison, i32 %first, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %index = or disjoint <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %inside = icmp ult <4 x i32> %index, splat (i32 1024)
  %numbers = zext <4 x i1> %inside to <4 x i32>
  store <4 x i32> %numbers, ptr %result
  ret void
}
