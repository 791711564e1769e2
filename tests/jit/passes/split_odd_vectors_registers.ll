; Registers of 64 bytes: 48 bytes cross blocks as one vector, since code generation widens it to a register. On machines
; with shorter ones they would be taken apart (split_odd_vectors_short_registers.ll).
; passes: split-odd-vectors
; isa: avx512
; expect: %value = load <24 x i16>, ptr %memory
; expect: ^next:
; expect: store <24 x i16> %value, ptr %memory
; expect-not: @llvm\.vector
define internal void @helper(ptr %memory, i1 %c) {
entry:
  %value = load <24 x i16>, ptr %memory, align 2
  br i1 %c, label %next, label %exit
next:
  store <24 x i16> %value, ptr %memory, align 2
  br label %exit
exit:
  ret void
}
