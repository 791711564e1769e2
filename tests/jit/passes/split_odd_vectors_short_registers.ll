; Registers of 32 bytes: 48 bytes cross blocks in parts, several whole registers as one vector.
; passes: split-odd-vectors
; isa: avx2
; expect: ^entry:
; expect: %0 = call <16 x i16> @llvm\.vector\.extract\..*<24 x i16> %value, i64 0
; expect: %1 = call <8 x i16> @llvm\.vector\.extract\..*<24 x i16> %value, i64 16
; expect: ^next:
; expect: @llvm\.vector\.insert\..*<16 x i16> %0
; expect: %3 = call <24 x i16> @llvm\.vector\.insert\..*<8 x i16> %1
; expect: store <24 x i16> %3, ptr %memory
; expect: store <128 x i16> %whole, ptr %memory
; expect-count: 2 = call .* @llvm\.vector\.extract
define internal void @helper(ptr %memory, i1 %c) {
entry:
  %value = load <24 x i16>, ptr %memory, align 2
  %whole = load <128 x i16>, ptr %memory, align 2
  br i1 %c, label %next, label %exit
next:
  store <24 x i16> %value, ptr %memory, align 2
  store <128 x i16> %whole, ptr %memory, align 2
  br label %exit
exit:
  ret void
}
