; A row a thread, of a length known at run time only.
; passes: report-accesses
; isa: reference
; remark: times what is known at run time only
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
define internal void @subgroup(ptr %memory, <8 x i32> %any, i32 %n, ptr %result) !tessera.function !{!"subgroup"} {
  %n1 = insertelement <8 x i32> poison, i32 %n, i64 0
  %ns = shufflevector <8 x i32> %n1, <8 x i32> poison, <8 x i32> zeroinitializer
  %i = mul <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %ns
  %p = getelementptr i32, ptr %memory, <8 x i32> %i
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %result
  ret void
}
