; Blocks of 34 bytes of which each group of four lanes reads 32, as blocks of quantised weights are: on a machine
; of 64 bytes a register, halves of registers as they lie, not windows of 60 bytes and shuffles.
; passes: load-lane-windows
; isa: avx512
; expect-count: 8 = load <16 x i16>, ptr %[0-9]+, align 2
; expect-not: @llvm.masked.load
define internal void @subgroup(ptr %d, ptr %result, i64 %first) !tessera.function !{!"subgroup"} {
  %buffer = load ptr, ptr %d
  %one = insertelement <32 x i64> poison, i64 %first, i64 0
  %all = shufflevector <32 x i64> %one, <32 x i64> poison, <32 x i32> zeroinitializer
  %at = add <32 x i64> %all, <i64 2, i64 10, i64 18, i64 26, i64 36, i64 44, i64 52, i64 60, i64 70, i64 78, i64 86, i64 94, i64 104, i64 112, i64 120, i64 128, i64 138, i64 146, i64 154, i64 162, i64 172, i64 180, i64 188, i64 196, i64 206, i64 214, i64 222, i64 230, i64 240, i64 248, i64 256, i64 264>
  %p = getelementptr i8, ptr %buffer, <32 x i64> %at
  %v = call <32 x i64> @llvm.masked.gather.v32i64.v32p0(<32 x ptr> align 2 %p, <32 x i1> splat (i1 true), <32 x i64> poison)
  store <32 x i64> %v, ptr %result
  ret void
}
