; Nothing to remark on in vector loads.
; passes: contiguous-accesses, report-accesses
; isa: reference
; no-remarks: yes
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
define internal void @subgroup(ptr %memory, ptr %result) !tessera.function !{!"subgroup"} {
  %p = getelementptr i32, ptr %memory, <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %result
  ret void
}
