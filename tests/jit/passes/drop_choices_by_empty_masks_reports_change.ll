; A choice by an empty mask is dropped. The pass says that it has changed the function: promote-arrays,
; which runs only on changed functions after promote, makes one of two equal shifts.
; passes: promote, drop-choices-by-empty-masks, promote-arrays
; isa: reference
; expect-count: 1 = shl i32 %x, 1
; expect-not: select i1
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %double = add i32 %x, %x
  store volatile i32 %double, ptr %shared
  %shifted = shl i32 %x, 1
  store volatile i32 %shifted, ptr %shared
  %more = getelementptr i8, ptr %frame, i64 128
  %a = load <32 x i32>, ptr %d
  %b = load <32 x i32>, ptr %frame
  %c = load <32 x i32>, ptr %more
  %m = icmp slt <32 x i32> %a, %c
  %bits = bitcast <32 x i1> %m to i32
  %nobody = icmp eq i32 %bits, 0
  %inner = select <32 x i1> %m, <32 x i32> %b, <32 x i32> %a
  %outer = select i1 %nobody, <32 x i32> %a, <32 x i32> %inner
  store <32 x i32> %outer, ptr %shared
  ret void
}
