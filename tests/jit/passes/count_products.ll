; The loop counts in a value of its own, and is scheduled all the same. Each return says the sum, f32's kind first.
; passes: count-products, schedule-k-loops
; isa: avx2
; expect-count: 1 add i64 %.*, 4096
; expect-count: 1 call void @tessera\.count_products\(ptr %d, i32 0, i64 %
; expect-count: 1 call void @tessera\.count_products\(ptr %d, i32 0, i64 0\)
; expect-count: 1 declare void @tessera\.count_products
; expect: tessera\.pack_a
; expect-not: call .*muladd
!tessera.kernel = !{!0}
!0 = !{!"counts products", i64 1}
declare !tessera.matrix !{!"load", i32 0, i32 16, i32 16, i32 0} <256 x half> @tessera.matrix.load.v256half.16.16.0(ptr, i64, i64) memory(argmem: read) nounwind willreturn
declare !tessera.matrix !{!"store", i32 4, i32 16, i32 16, i32 0} void @tessera.matrix.store.v256float.16.16.0(<256 x float>, ptr, i64, i64) memory(argmem: write) nounwind willreturn
declare !tessera.matrix !{!"muladd", i32 16, i32 16, i32 16, i32 0, i32 0, i32 4, i32 4, i32 0, i32 1} <256 x float> @tessera.matrix.muladd.v256halfv256half_v256float.16.16.16.0.0.4.4.0.1(<256 x half>, <256 x half>, <256 x float>) memory(none) nounwind willreturn
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %any = icmp ne i32 %y, 0
  br i1 %any, label %before, label %none
before:
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i1, %loop ]
  %p = phi <256 x float> [ zeroinitializer, %before ], [ %m, %loop ]
  %a = call <256 x half> @tessera.matrix.load.v256half.16.16.0(ptr %d, i64 32, i64 -1)
  %m = call <256 x float> @tessera.matrix.muladd.v256halfv256half_v256float.16.16.16.0.0.4.4.0.1(<256 x half> %a, <256 x half> %a, <256 x float> %p)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  call void @tessera.matrix.store.v256float.16.16.0(<256 x float> %m, ptr %d, i64 64, i64 -1)
  ret void
none:
  ret void
}
