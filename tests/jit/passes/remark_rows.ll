; Rows of four.
; passes: report-accesses
; isa: reference
; remark: its index goes on evenly for 4 invocations only
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
define internal void @subgroup(ptr %memory, <8 x i32> %any, i32 %n, ptr %result) !tessera.function !{!"subgroup"} {
  %p = getelementptr i32, ptr %memory, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19>
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %result
  ret void
}
