; passes: emulate-tiles, configure-tiles
; isa: reference
; expect: define void @kernel
; expect-not: tile
define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z, i32 %count) {
  store i32 %x, ptr %memory
  ret void
}
