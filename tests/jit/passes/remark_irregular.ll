; A table.
; passes: report-accesses
; isa: reference
; remark: its index goes from invocation to invocation in steps that differ
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
define internal void @subgroup(ptr %memory, <8 x i32> %any, i32 %n, ptr %result) !tessera.function !{!"subgroup"} {
  %p = getelementptr i32, ptr %memory, <8 x i32> <i32 0, i32 5, i32 6, i32 3, i32 16, i32 1, i32 18, i32 2>
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %result
  ret void
}
