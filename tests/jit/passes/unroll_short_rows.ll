; A loop over four neighbours of each lane is unrolled; then they are one structure of each, in rows of four lanes.
; passes: unroll-short-rows, strided-accesses
; isa: avx512
; no-remarks: yes
; expect-count: 0 call <8 x i32> @llvm\.masked\.gather
; expect-count: 4 = load <8 x i32>, ptr %[0-9]+, align 4
define internal void @subgroup(ptr %d, ptr %result, i32 %first) !tessera.function !{!"subgroup"} {
entry:
  %buffer = load ptr, ptr %d
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi <8 x i32> [ zeroinitializer, %entry ], [ %added, %body ]
  %more = icmp ult i32 %k, 4
  br i1 %more, label %body, label %exit
body:
  %i = add i32 %first, %k
  %wide = sext i32 %i to i64
  %offset = shl nsw i64 %wide, 2
  %one = insertelement <8 x i64> poison, i64 %offset, i64 0
  %all = shufflevector <8 x i64> %one, <8 x i64> poison, <8 x i32> zeroinitializer
  %at = add <8 x i64> %all, <i64 0, i64 16, i64 32, i64 48, i64 4000, i64 4016, i64 4032, i64 4048>
  %p = getelementptr i8, ptr %buffer, <8 x i64> %at
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %p, <8 x i1> splat (i1 true), <8 x i32> poison)
  %added = add <8 x i32> %sum, %v
  %next = add i32 %k, 1
  br label %loop
exit:
  store <8 x i32> %sum, ptr %result
  ret void
}
