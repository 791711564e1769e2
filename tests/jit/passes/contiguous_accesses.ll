; A gather whose lanes count up by the size of an element is a load; one whose lanes do not stays.
; passes: contiguous-accesses
; isa: avx2
; expect: define internal void @subgroup
; expect: = load <8 x i32>, ptr %
; expect-count: 1 call <8 x i32> @llvm.masked.gather
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
define internal void @subgroup(ptr %memory, <8 x i32> %any, ptr %result) !tessera.function !{!"subgroup"} {
  %first = getelementptr i32, ptr %memory, i64 3
  %side_by_side = getelementptr i32, ptr %first, <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %a = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %side_by_side, i32 4, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  %anywhere = getelementptr i32, ptr %memory, <8 x i32> %any
  %b = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %anywhere, i32 4, <8 x i1> splat (i1 true), <8 x i32> zeroinitializer)
  %sum = add <8 x i32> %a, %b
  store <8 x i32> %sum, ptr %result
  ret void
}
