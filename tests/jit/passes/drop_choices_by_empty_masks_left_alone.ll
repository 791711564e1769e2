; Choices by whether a mask is empty stay where the selection by the mask would give another value then, and where the
; comparison does not tell whether it is.
; passes: drop-choices-by-empty-masks
; isa: reference
; expect-count: 4 %outer = select i1
; expect-count: 4 ret <32 x i32> %outer
define internal <32 x i32> @other_side(<32 x i1> %m, <32 x i32> %x, <32 x i32> %y) {
  %bits = bitcast <32 x i1> %m to i32
  %nobody = icmp eq i32 %bits, 0
  %inner = select <32 x i1> %m, <32 x i32> %x, <32 x i32> %y
  %outer = select i1 %nobody, <32 x i32> %x, <32 x i32> %inner
  ret <32 x i32> %outer
}
define internal <32 x i32> @not_empty(<32 x i1> %m, <32 x i32> %x, <32 x i32> %y) {
  %bits = bitcast <32 x i1> %m to i32
  %somebody = icmp ne i32 %bits, 0
  %inner = select <32 x i1> %m, <32 x i32> %y, <32 x i32> %x
  %outer = select i1 %somebody, <32 x i32> %x, <32 x i32> %inner
  ret <32 x i32> %outer
}
define internal <32 x i32> @opposite(<32 x i1> %m, <32 x i32> %x, <32 x i32> %y) {
  %not = xor <32 x i1> %m, splat (i1 true)
  %bits = bitcast <32 x i1> %m to i32
  %nobody = icmp eq i32 %bits, 0
  %inner = select <32 x i1> %not, <32 x i32> %y, <32 x i32> %x
  %outer = select i1 %nobody, <32 x i32> %x, <32 x i32> %inner
  ret <32 x i32> %outer
}
define internal <32 x i32> @below(<32 x i1> %m, <32 x i32> %x, <32 x i32> %y) {
  %bits = bitcast <32 x i1> %m to i32
  %below = icmp ult i32 %bits, 0
  %inner = select <32 x i1> %m, <32 x i32> %y, <32 x i32> %x
  %outer = select i1 %below, <32 x i32> %x, <32 x i32> %inner
  ret <32 x i32> %outer
}
