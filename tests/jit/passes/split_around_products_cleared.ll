; What the matrices of an array are cleared to before a loop over K is what its sums begin with, and behind the loop
; they are written. So nothing is cleared in memory, and no sums are loaded.
; passes: split-around-products
; isa: avx2
; expect-not: call void @llvm.memset
; expect-not: store <256 x float> zeroinitializer
; expect: phi <256 x float> .*zeroinitializer, %
; expect-count: 2 store <256 x float>
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare !tessera.matrix !{!"load", i32 0, i32 16, i32 16, i32 0} <256 x half> @tessera.matrix.load.v256half.16.16.0(ptr, i64, i64) memory(argmem: read) nounwind willreturn
declare !tessera.matrix !{!"muladd", i32 16, i32 16, i32 16, i32 0, i32 0, i32 4, i32 4, i32 0, i32 1} <256 x float> @tessera.matrix.muladd.v256halfv256half_v256float.16.16.16.0.0.4.4.0.1(<256 x half>, <256 x half>, <256 x float>) memory(none) nounwind willreturn
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %sums = alloca [2 x <256 x float>]
  %second = getelementptr i8, ptr %sums, i64 1024
  call void @llvm.memset.p0.i64(ptr %sums, i8 0, i64 2048, i1 false)
  store <256 x float> zeroinitializer, ptr %sums
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %a = call <256 x half> @tessera.matrix.load.v256half.16.16.0(ptr %d, i64 32, i64 -1)
  %p = load <256 x float>, ptr %sums
  %m = call <256 x float> @tessera.matrix.muladd.v256halfv256half_v256float.16.16.16.0.0.4.4.0.1(<256 x half> %a, <256 x half> %a, <256 x float> %p)
  store <256 x float> %m, ptr %sums
  %p2 = load <256 x float>, ptr %second
  %m2 = call <256 x float> @tessera.matrix.muladd.v256halfv256half_v256float.16.16.16.0.0.4.4.0.1(<256 x half> %a, <256 x half> %a, <256 x float> %p2)
  store <256 x float> %m2, ptr %second
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  %e = zext i32 %y to i64
  %place = getelementptr <8 x float>, ptr %sums, i64 %e
  %component = load <8 x float>, ptr %place
  store <8 x float> %component, ptr %d
  ret void
}
