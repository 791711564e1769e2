; passes: drop-choices-by-empty-masks
; isa: reference
; expect-count: 1 select
; expect-not: select i1
define internal <32 x i32> @helper(<32 x i1> %m, <32 x i32> %x, <32 x i32> %y) {
  %bits = bitcast <32 x i1> %m to i32
  %nobody = icmp eq i32 %bits, 0
  %inner = select <32 x i1> %m, <32 x i32> %y, <32 x i32> %x
  %outer = select i1 %nobody, <32 x i32> %x, <32 x i32> %inner
  ret <32 x i32> %outer
}
