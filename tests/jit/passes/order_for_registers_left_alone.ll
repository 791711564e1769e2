; Enough registers for all vectors: the order stays.
; passes: order-for-registers
; isa: reference
; expect: %c7 = sitofp
; expect: %s0 = fadd
define internal <4 x float> @f(ptr %p, ptr %q) {
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
  %s0 = fadd <4 x float> %c0, %c1
  %s1 = fadd <4 x float> %s0, %c2
  %s2 = fadd <4 x float> %s1, %c3
  %s3 = fadd <4 x float> %s2, %c4
  %s4 = fadd <4 x float> %s3, %c5
  %s5 = fadd <4 x float> %s4, %c6
  %s6 = fadd <4 x float> %s5, %c7
  ret <4 x float> %s6
}
