; Elements that lanes share and that are far apart: of all lanes each is loaded once, of all or none, as a comparison of
; two numbers says, gathered once, also where a disjoint or, a product and an extension are between the lanes' constants
; and the address. Under a mask that differs from lane to lane, where a sum may wrap around before it is extended, and
; of different elements, they stay as they are.
; passes: load-lane-windows
; isa: avx512
; expect-count: 4 = load <1 x i32>, ptr %[0-9]+, align 4
; expect: icmp ult i32 %place, 512
; expect: getelementptr i8, <4 x ptr> %[.a-z0-9]+, <4 x i64> <i64 0, i64 80, i64 160, i64 240>
; expect-count: 1 call <4 x i32> @llvm\.masked\.gather\.v4i32
; expect: shufflevector <4 x i32> .*, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3,
; expect-count: 3 call <16 x i32> @llvm\.masked\.gather\.v16i32
define internal void @subgroup(ptr %d, ptr %result, i32 %x, <16 x i1> %some) !tessera.function !{!"subgroup"} {
  %buffer = load ptr, ptr %d
  %place = shl i32 %x, 6
  %one = insertelement <16 x i32> poison, i32 %place, i64 0
  %all = shufflevector <16 x i32> %one, <16 x i32> poison, <16 x i32> zeroinitializer
  %row = or disjoint <16 x i32> %all, <i32 0, i32 4, i32 8, i32 12, i32 0, i32 4, i32 8, i32 12, i32 0, i32 4, i32 8, i32 12, i32 0, i32 4, i32 8, i32 12>
  %wide = zext <16 x i32> %row to <16 x i64>
  %bytes = mul nuw nsw <16 x i64> %wide, splat (i64 20)
  %p1 = getelementptr i8, ptr %buffer, <16 x i64> %bytes
  %v1 = call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %p1, <16 x i1> splat (i1 true), <16 x i32> poison)
  store <16 x i32> %v1, ptr %result
  %inside = icmp ult <16 x i32> %all, splat (i32 512)
  %v2 = call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %p1, <16 x i1> %inside, <16 x i32> zeroinitializer)
  store <16 x i32> %v2, ptr %result
  %v3 = call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %p1, <16 x i1> %some, <16 x i32> zeroinitializer)
  store <16 x i32> %v3, ptr %result
  %row4 = add <16 x i32> %all, <i32 0, i32 4, i32 8, i32 12, i32 0, i32 4, i32 8, i32 12, i32 0, i32 4, i32 8, i32 12, i32 0, i32 4, i32 8, i32 12>
  %wide4 = zext <16 x i32> %row4 to <16 x i64>
  %bytes4 = mul nuw nsw <16 x i64> %wide4, splat (i64 20)
  %p4 = getelementptr i8, ptr %buffer, <16 x i64> %bytes4
  %v4 = call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %p4, <16 x i1> splat (i1 true), <16 x i32> poison)
  store <16 x i32> %v4, ptr %result
  %row5 = or disjoint <16 x i32> %all, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28, i32 32, i32 36, i32 40, i32 44, i32 48, i32 52, i32 56, i32 60>
  %wide5 = zext <16 x i32> %row5 to <16 x i64>
  %bytes5 = mul nuw nsw <16 x i64> %wide5, splat (i64 20)
  %p5 = getelementptr i8, ptr %buffer, <16 x i64> %bytes5
  %v5 = call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %p5, <16 x i1> splat (i1 true), <16 x i32> poison)
  store <16 x i32> %v5, ptr %result
  ret void
}
