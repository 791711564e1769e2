; The only accumulator is scaled in each iteration.
; passes: schedule-k-loops
; isa: avx2
; remark: product-not-deferred: the loop reads or changes the accumulator before it adds the next product
declare !tessera.matrix !{!"load", i32 0, i32 16, i32 16, i32 0} <256 x half> @tessera.matrix.load.v256half.16.16.0(ptr, i64, i64) memory(argmem: read) nounwind willreturn
declare !tessera.matrix !{!"store", i32 4, i32 16, i32 16, i32 0} void @tessera.matrix.store.v256float.16.16.0(<256 x float>, ptr, i64, i64) memory(argmem: write) nounwind willreturn
declare !tessera.matrix !{!"muladd", i32 16, i32 16, i32 16, i32 0, i32 0, i32 4, i32 4, i32 0, i32 1} <256 x float> @tessera.matrix.muladd.v256halfv256half_v256float.16.16.16.0.0.4.4.0.1(<256 x half>, <256 x half>, <256 x float>) memory(none) nounwind willreturn
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %array = alloca [4 x <256 x float>]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %s, %loop ]
  %a = call <256 x half> @tessera.matrix.load.v256half.16.16.0(ptr %d, i64 32, i64 -1)
  %m = call <256 x float> @tessera.matrix.muladd.v256halfv256half_v256float.16.16.16.0.0.4.4.0.1(<256 x half> %a, <256 x half> %a, <256 x float> %p)
  %s = fmul <256 x float> %m, splat (float 5.000000e-01)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  call void @tessera.matrix.store.v256float.16.16.0(<256 x float> %s, ptr %d, i64 64, i64 -1)
  ret void
}
