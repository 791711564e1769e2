; Comparisons move to their uses. The pass says that it has changed the function: promote-arrays,
; which runs only on changed functions after promote, makes one of two equal shifts.
; passes: promote, compare-at-uses, promote-arrays
; isa: reference
; expect-count: 1 = shl i32 %x, 1
; expect: store volatile i32 %z
; expect: = icmp
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %double = add i32 %x, %x
  store volatile i32 %double, ptr %shared
  %shifted = shl i32 %x, 1
  store volatile i32 %shifted, ptr %shared
  %v = load <32 x i32>, ptr %d
  %m0 = icmp eq <32 x i32> %v, splat (i32 0)
  %m1 = icmp eq <32 x i32> %v, splat (i32 1)
  %m2 = icmp eq <32 x i32> %v, splat (i32 2)
  %m3 = icmp eq <32 x i32> %v, splat (i32 3)
  %m4 = icmp eq <32 x i32> %v, splat (i32 4)
  %m5 = icmp eq <32 x i32> %v, splat (i32 5)
  %m6 = icmp eq <32 x i32> %v, splat (i32 6)
  %m7 = icmp eq <32 x i32> %v, splat (i32 7)
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  store volatile i32 %z, ptr %shared
  %s0 = select <32 x i1> %m0, <32 x i32> splat (i32 09), <32 x i32> %v
  %s1 = select <32 x i1> %m1, <32 x i32> splat (i32 19), <32 x i32> %s0
  %s2 = select <32 x i1> %m2, <32 x i32> splat (i32 29), <32 x i32> %s1
  %s3 = select <32 x i1> %m3, <32 x i32> splat (i32 39), <32 x i32> %s2
  %s4 = select <32 x i1> %m4, <32 x i32> splat (i32 49), <32 x i32> %s3
  %s5 = select <32 x i1> %m5, <32 x i32> splat (i32 59), <32 x i32> %s4
  %s6 = select <32 x i1> %m6, <32 x i32> splat (i32 69), <32 x i32> %s5
  %s7 = select <32 x i1> %m7, <32 x i32> splat (i32 79), <32 x i32> %s6
  store <32 x i32> %s7, ptr %shared
  ret void
}
