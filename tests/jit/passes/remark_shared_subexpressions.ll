; What is used twice at each of many levels is looked at once, so that this ends.
; passes: report-accesses
; isa: reference
; remark: gather: 8 elements of 32 bits: its index
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
define internal void @subgroup(ptr %memory, <8 x i32> %any, ptr %result) !tessera.function !{!"subgroup"} {
  %x0 = add <8 x i32> %any, %any
  %x1 = xor <8 x i32> %x0, %x0
  %x2 = and <8 x i32> %x1, %x0
  %x3 = add <8 x i32> %x2, %x1
  %x4 = xor <8 x i32> %x3, %x2
  %x5 = and <8 x i32> %x4, %x3
  %x6 = add <8 x i32> %x5, %x4
  %x7 = xor <8 x i32> %x6, %x5
  %x8 = and <8 x i32> %x7, %x6
  %x9 = add <8 x i32> %x8, %x7
  %x10 = xor <8 x i32> %x9, %x8
  %x11 = and <8 x i32> %x10, %x9
  %x12 = add <8 x i32> %x11, %x10
  %x13 = xor <8 x i32> %x12, %x11
  %x14 = and <8 x i32> %x13, %x12
  %x15 = add <8 x i32> %x14, %x13
  %x16 = xor <8 x i32> %x15, %x14
  %x17 = and <8 x i32> %x16, %x15
  %x18 = add <8 x i32> %x17, %x16
  %x19 = xor <8 x i32> %x18, %x17
  %x20 = and <8 x i32> %x19, %x18
  %x21 = add <8 x i32> %x20, %x19
  %x22 = xor <8 x i32> %x21, %x20
  %x23 = and <8 x i32> %x22, %x21
  %p = getelementptr i32, ptr %memory, <8 x i32> %x23
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %result
  ret void
}
