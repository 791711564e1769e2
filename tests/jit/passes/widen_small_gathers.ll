; Gathers of bytes and halves become gathers of the words around them, on machines that gather words; of halves at odd
; places of words that begin at most one byte past an aligned one. Those of words stay as they are.
; passes: widen-small-gathers
; isa: avx512
; expect-count: 1 call <8 x i32> @llvm\.masked\.gather\.v8i32.*<8 x ptr> align 1 %[0-9]
; expect: = add <8 x i64> %[0-9]+, splat \(i64 1\)
; expect-count: 2 = call <8 x i32> @llvm\.masked\.gather\.v8i32.*<8 x ptr> align 4 %[0-9]
; expect-count: 1 %words = call <8 x i32> @llvm\.masked\.gather\.v8i32.* %words\.at, <8 x i1> %mask, <8 x i32> splat \(i32 77\)
; expect-not: call .*gather\.v8i(8|16)
define internal void @subgroup(ptr %memory, <8 x i64> %index, <8 x i1> %mask, ptr %to) !tessera.function !{!"subgroup"} {
  %bytes.at = getelementptr i8, ptr %memory, <8 x i64> %index
  %bytes = call <8 x i8> @llvm.masked.gather.v8i8.v8p0(<8 x ptr> align 1 %bytes.at, <8 x i1> %mask, <8 x i8> splat (i8 77))
  store <8 x i8> %bytes, ptr %to
  %halves.at = getelementptr i16, ptr %memory, <8 x i64> %index
  %halves = call <8 x i16> @llvm.masked.gather.v8i16.v8p0(<8 x ptr> align 2 %halves.at, <8 x i1> %mask, <8 x i16> splat (i16 77))
  store <8 x i16> %halves, ptr %to
  %odd.at = getelementptr i8, ptr %memory, <8 x i64> %index
  %odd = call <8 x i16> @llvm.masked.gather.v8i16.v8p0(<8 x ptr> align 1 %odd.at, <8 x i1> %mask, <8 x i16> splat (i16 77))
  store <8 x i16> %odd, ptr %to
  %words.at = getelementptr i32, ptr %memory, <8 x i64> %index
  %words = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %words.at, <8 x i1> %mask, <8 x i32> splat (i32 77))
  store <8 x i32> %words, ptr %to
  ret void
}
