; Comparisons of one vector with eight constants or more move to the selections that use them: made before the first of
; these, they would be more masks than there are registers for.
; passes: compare-at-uses
; isa: reference
; expect: store volatile
; expect: %0 = icmp eq <32 x i32> %v, zeroinitializer
; expect: %s0 = select <32 x i1> %0,
; expect: %1 = icmp eq <32 x i32> %v, splat \(i32 1\)
; expect: %s1 = select <32 x i1> %1,
; expect: %2 = icmp eq <32 x i32> %v, splat \(i32 2\)
; expect: %s2 = select <32 x i1> %2,
; expect: %3 = icmp eq <32 x i32> %v, splat \(i32 3\)
; expect: %s3 = select <32 x i1> %3,
; expect: %4 = icmp eq <32 x i32> %v, splat \(i32 4\)
; expect: %s4 = select <32 x i1> %4,
; expect: %5 = icmp eq <32 x i32> %v, splat \(i32 5\)
; expect: %s5 = select <32 x i1> %5,
; expect: %6 = icmp eq <32 x i32> %v, splat \(i32 6\)
; expect: %s6 = select <32 x i1> %6,
; expect: %7 = icmp eq <32 x i32> %v, splat \(i32 7\)
; expect: %s7 = select <32 x i1> %7,
; expect-count: 8 = icmp
define internal <32 x i32> @f(<32 x i32> %v, <32 x i32> %w, ptr %p) {
entry:
  %m0 = icmp eq <32 x i32> %v, splat (i32 0)
  %m1 = icmp eq <32 x i32> %v, splat (i32 1)
  %m2 = icmp eq <32 x i32> %v, splat (i32 2)
  %m3 = icmp eq <32 x i32> %v, splat (i32 3)
  %m4 = icmp eq <32 x i32> %v, splat (i32 4)
  %m5 = icmp eq <32 x i32> %v, splat (i32 5)
  %m6 = icmp eq <32 x i32> %v, splat (i32 6)
  %m7 = icmp eq <32 x i32> %v, splat (i32 7)
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
  store volatile i32 0, ptr %p
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
