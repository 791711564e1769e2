; Comparisons of a vector with fewer than eight constants stay where they are, since masks do not run short and the
; vector would live longer. So do those of more that are used near by.
; passes: compare-at-uses
; isa: reference
; expect: @few
; expect: %m6 = icmp
; expect: ^uses:
; expect: %s0 = select <32 x i1> %m0,
; expect: @near
; expect: %m7 = icmp
; expect: %s0 = select <32 x i1> %m0,
; expect-count: 15 = icmp
define internal <32 x i32> @few(<32 x i32> %v, <32 x i32> %w) {
  %m0 = icmp eq <32 x i32> %v, splat (i32 0)
  %m1 = icmp eq <32 x i32> %v, splat (i32 1)
  %m2 = icmp eq <32 x i32> %v, splat (i32 2)
  %m3 = icmp eq <32 x i32> %v, splat (i32 3)
  %m4 = icmp eq <32 x i32> %v, splat (i32 4)
  %m5 = icmp eq <32 x i32> %v, splat (i32 5)
  %m6 = icmp eq <32 x i32> %v, splat (i32 6)
  br label %uses
uses:
  %s0 = select <32 x i1> %m0, <32 x i32> splat (i32 09), <32 x i32> %w
  %s1 = select <32 x i1> %m1, <32 x i32> splat (i32 19), <32 x i32> %s0
  %s2 = select <32 x i1> %m2, <32 x i32> splat (i32 29), <32 x i32> %s1
  %s3 = select <32 x i1> %m3, <32 x i32> splat (i32 39), <32 x i32> %s2
  %s4 = select <32 x i1> %m4, <32 x i32> splat (i32 49), <32 x i32> %s3
  %s5 = select <32 x i1> %m5, <32 x i32> splat (i32 59), <32 x i32> %s4
  %s6 = select <32 x i1> %m6, <32 x i32> splat (i32 69), <32 x i32> %s5
  ret <32 x i32> %s6
}
define internal <32 x i32> @near(<32 x i32> %v, <32 x i32> %w) {
  %m0 = icmp eq <32 x i32> %v, splat (i32 0)
  %m1 = icmp eq <32 x i32> %v, splat (i32 1)
  %m2 = icmp eq <32 x i32> %v, splat (i32 2)
  %m3 = icmp eq <32 x i32> %v, splat (i32 3)
  %m4 = icmp eq <32 x i32> %v, splat (i32 4)
  %m5 = icmp eq <32 x i32> %v, splat (i32 5)
  %m6 = icmp eq <32 x i32> %v, splat (i32 6)
  %m7 = icmp eq <32 x i32> %v, splat (i32 7)
  %s0 = select <32 x i1> %m0, <32 x i32> splat (i32 09), <32 x i32> %w
  %s1 = select <32 x i1> %m1, <32 x i32> splat (i32 19), <32 x i32> %s0
  %s2 = select <32 x i1> %m2, <32 x i32> splat (i32 29), <32 x i32> %s1
  %s3 = select <32 x i1> %m3, <32 x i32> splat (i32 39), <32 x i32> %s2
  %s4 = select <32 x i1> %m4, <32 x i32> splat (i32 49), <32 x i32> %s3
  %s5 = select <32 x i1> %m5, <32 x i32> splat (i32 59), <32 x i32> %s4
  %s6 = select <32 x i1> %m6, <32 x i32> splat (i32 69), <32 x i32> %s5
  %s7 = select <32 x i1> %m7, <32 x i32> splat (i32 79), <32 x i32> %s6
  ret <32 x i32> %s7
}
