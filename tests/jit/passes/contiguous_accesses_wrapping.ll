; Gathers stay whose indices may wrap around within the vector: those of 8 bits that are widened, and those whose steps
; wrap. 2^31 + 1 times the lane does for odd and even lanes alike; less 2^31 times the lane it seems to count by one.
; passes: contiguous-accesses
; isa: reference
; expect-count: 2 call <8 x i32> @llvm\.masked\.gather
; expect-not: = (load|call .*masked\.load)
define internal void @subgroup(ptr %memory, i32 %x, <8 x i32> %input, ptr %to) !tessera.function !{!"subgroup"} {
  %x1 = insertelement <8 x i32> poison, i32 %x, i64 0
  %xs = shufflevector <8 x i32> %x1, <8 x i32> poison, <8 x i32> zeroinitializer
  %x8 = trunc <8 x i32> %xs to <8 x i8>
  %index8 = add <8 x i8> %x8, <i8 0, i8 1, i8 2, i8 3, i8 4, i8 5, i8 6, i8 7>
  %index8.wide = zext <8 x i8> %index8 to <8 x i64>
  %narrow = getelementptr i32, ptr %memory, <8 x i64> %index8.wide
  %narrow.mask = icmp ult <8 x i8> %index8, splat (i8 30)
  %v8 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %narrow, <8 x i1> %narrow.mask, <8 x i32> zeroinitializer)
  store <8 x i32> %v8, ptr %to
  %steps = mul <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, splat (i32 -2147483647)
  %steps.wide = sext <8 x i32> %steps to <8 x i64>
  %half = shl <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, splat (i64 30)
  %back = add <8 x i64> %half, %half
  %wide = add <8 x i64> %steps.wide, %back
  %wrapped = getelementptr i32, ptr %memory, <8 x i64> %wide
  %wrapped.mask = icmp ult <8 x i64> %wide, splat (i64 8)
  %v9 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %wrapped, <8 x i1> %wrapped.mask, <8 x i32> zeroinitializer)
  store <8 x i32> %v9, ptr %to
  ret void
}
