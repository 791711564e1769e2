; A choice by whether a mask is empty is dropped where the selection by the mask gives the same then: the mask may be
; tested for being empty or for not being so, and may be the opposite of the one that is tested.
; passes: drop-choices-by-empty-masks
; isa: reference
; expect-count: 3 = select
; expect-count: 3 = select <32 x i1>
; expect-count: 3 ret <32 x i32> %inner
; expect-not: select i1
define internal <32 x i32> @empty(<32 x i1> %m, <32 x i32> %x, <32 x i32> %y) {
  %bits = bitcast <32 x i1> %m to i32
  %nobody = icmp eq i32 %bits, 0
  %inner = select <32 x i1> %m, <32 x i32> %y, <32 x i32> %x
  %outer = select i1 %nobody, <32 x i32> %x, <32 x i32> %inner
  ret <32 x i32> %outer
}
define internal <32 x i32> @not_empty(<32 x i1> %m, <32 x i32> %x, <32 x i32> %y) {
  %bits = bitcast <32 x i1> %m to i32
  %somebody = icmp ne i32 %bits, 0
  %inner = select <32 x i1> %m, <32 x i32> %y, <32 x i32> %x
  %outer = select i1 %somebody, <32 x i32> %inner, <32 x i32> %x
  ret <32 x i32> %outer
}
define internal <32 x i32> @opposite(<32 x i1> %m, <32 x i32> %x, <32 x i32> %y) {
  %not = xor <32 x i1> %m, splat (i1 true)
  %bits = bitcast <32 x i1> %m to i32
  %nobody = icmp eq i32 %bits, 0
  %inner = select <32 x i1> %not, <32 x i32> %x, <32 x i32> %y
  %outer = select i1 %nobody, <32 x i32> %x, <32 x i32> %inner
  ret <32 x i32> %outer
}
