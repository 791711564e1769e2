; Two places.
; passes: report-accesses
; isa: reference
; remark: chosen by a condition that differs
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
define internal void @subgroup(ptr %memory, <8 x i32> %any, i32 %n, ptr %result) !tessera.function !{!"subgroup"} {
  %c = icmp ult <8 x i32> %any, splat (i32 3)
  %i = select <8 x i1> %c, <8 x i32> %any, <8 x i32> zeroinitializer
  %p = getelementptr i32, ptr %memory, <8 x i32> %i
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %result
  ret void
}
