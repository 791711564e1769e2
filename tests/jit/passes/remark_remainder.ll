; A remainder of what differs between invocations.
; passes: report-accesses
; isa: reference
; remark: its index is a remainder
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
define internal void @subgroup(ptr %memory, <8 x i32> %any, i32 %n, ptr %result) !tessera.function !{!"subgroup"} {
  %i = and <8 x i32> %any, splat (i32 3)
  %p = getelementptr i32, ptr %memory, <8 x i32> %i
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %result
  ret void
}
