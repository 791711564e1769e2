; Reads stay between the same writes, and writes and prefetches in their order; conversions of what was read before
; come when they are used.
; passes: order-for-registers
; isa: reference
; expect: %l8 = load
; expect: store <4 x i32>
; expect: prefetch
; expect: %l17 = load
; expect: %s0 = fadd
; expect: %l15 = load
; expect: %s1 = fadd
; expect: %s7 = fadd
; expect: %c8 = sitofp <4 x i32> %l8
; expect: %s8 = fadd
define internal <4 x float> @f(ptr %p, ptr %q, <4 x i32> %w) {
entry:
  %at0 = getelementptr i8, ptr %p, i64 0
  %l0 = load <4 x i32>, ptr %at0
  %c0 = sitofp <4 x i32> %l0 to <4 x float>
  %at1 = getelementptr i8, ptr %p, i64 16
  %l1 = load <4 x i32>, ptr %at1
  %c1 = sitofp <4 x i32> %l1 to <4 x float>
  %at2 = getelementptr i8, ptr %p, i64 32
  %l2 = load <4 x i32>, ptr %at2
  %c2 = sitofp <4 x i32> %l2 to <4 x float>
  %at3 = getelementptr i8, ptr %p, i64 48
  %l3 = load <4 x i32>, ptr %at3
  %c3 = sitofp <4 x i32> %l3 to <4 x float>
  %at4 = getelementptr i8, ptr %p, i64 64
  %l4 = load <4 x i32>, ptr %at4
  %c4 = sitofp <4 x i32> %l4 to <4 x float>
  %at5 = getelementptr i8, ptr %p, i64 80
  %l5 = load <4 x i32>, ptr %at5
  %c5 = sitofp <4 x i32> %l5 to <4 x float>
  %at6 = getelementptr i8, ptr %p, i64 96
  %l6 = load <4 x i32>, ptr %at6
  %c6 = sitofp <4 x i32> %l6 to <4 x float>
  %at7 = getelementptr i8, ptr %p, i64 112
  %l7 = load <4 x i32>, ptr %at7
  %c7 = sitofp <4 x i32> %l7 to <4 x float>
  %at8 = getelementptr i8, ptr %p, i64 128
  %l8 = load <4 x i32>, ptr %at8
  %c8 = sitofp <4 x i32> %l8 to <4 x float>
  store <4 x i32> %w, ptr %q
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  %at9 = getelementptr i8, ptr %p, i64 144
  %l9 = load <4 x i32>, ptr %at9
  %c9 = sitofp <4 x i32> %l9 to <4 x float>
  %at10 = getelementptr i8, ptr %p, i64 160
  %l10 = load <4 x i32>, ptr %at10
  %c10 = sitofp <4 x i32> %l10 to <4 x float>
  %at11 = getelementptr i8, ptr %p, i64 176
  %l11 = load <4 x i32>, ptr %at11
  %c11 = sitofp <4 x i32> %l11 to <4 x float>
  %at12 = getelementptr i8, ptr %p, i64 192
  %l12 = load <4 x i32>, ptr %at12
  %c12 = sitofp <4 x i32> %l12 to <4 x float>
  %at13 = getelementptr i8, ptr %p, i64 208
  %l13 = load <4 x i32>, ptr %at13
  %c13 = sitofp <4 x i32> %l13 to <4 x float>
  %at14 = getelementptr i8, ptr %p, i64 224
  %l14 = load <4 x i32>, ptr %at14
  %c14 = sitofp <4 x i32> %l14 to <4 x float>
  %at15 = getelementptr i8, ptr %p, i64 240
  %l15 = load <4 x i32>, ptr %at15
  %c15 = sitofp <4 x i32> %l15 to <4 x float>
  %at16 = getelementptr i8, ptr %p, i64 256
  %l16 = load <4 x i32>, ptr %at16
  %c16 = sitofp <4 x i32> %l16 to <4 x float>
  %at17 = getelementptr i8, ptr %p, i64 272
  %l17 = load <4 x i32>, ptr %at17
  %c17 = sitofp <4 x i32> %l17 to <4 x float>
  %s0 = fadd <4 x float> %c17, %c16
  %s1 = fadd <4 x float> %s0, %c15
  %s2 = fadd <4 x float> %s1, %c14
  %s3 = fadd <4 x float> %s2, %c13
  %s4 = fadd <4 x float> %s3, %c12
  %s5 = fadd <4 x float> %s4, %c11
  %s6 = fadd <4 x float> %s5, %c10
  %s7 = fadd <4 x float> %s6, %c9
  %s8 = fadd <4 x float> %s7, %c8
  %s9 = fadd <4 x float> %s8, %c7
  %s10 = fadd <4 x float> %s9, %c6
  %s11 = fadd <4 x float> %s10, %c5
  %s12 = fadd <4 x float> %s11, %c4
  %s13 = fadd <4 x float> %s12, %c3
  %s14 = fadd <4 x float> %s13, %c2
  %s15 = fadd <4 x float> %s14, %c1
  %s16 = fadd <4 x float> %s15, %c0
  ret <4 x float> %s16
}
