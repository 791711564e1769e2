; Gathers in which all lanes take part stay, however many there are: LLVM writes no branches for these.
; passes: loop-over-lanes
; isa: reference
; expect-count: 17 call <64 x i32> @llvm\.masked\.gather
; expect-not: @llvm\.cttz
; expect-not: ^define.*@tessera
define internal void @subgroup(<64 x i1> %mask, <64 x i32> %offsets, ptr %data, <64 x i32> %values, ptr %results) !tessera.function !{!"subgroup"} {
entry:
  %pointers = getelementptr i8, ptr %data, <64 x i32> %offsets
  %v0 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v0, ptr %results, align 4
  %v1 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v1, ptr %results, align 4
  %v2 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v2, ptr %results, align 4
  %v3 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v3, ptr %results, align 4
  %v4 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v4, ptr %results, align 4
  %v5 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v5, ptr %results, align 4
  %v6 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v6, ptr %results, align 4
  %v7 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v7, ptr %results, align 4
  %v8 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v8, ptr %results, align 4
  %v9 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v9, ptr %results, align 4
  %v10 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v10, ptr %results, align 4
  %v11 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v11, ptr %results, align 4
  %v12 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v12, ptr %results, align 4
  %v13 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v13, ptr %results, align 4
  %v14 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v14, ptr %results, align 4
  %v15 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v15, ptr %results, align 4
  %v16 = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> splat (i1 true), <64 x i32> %values)
  store <64 x i32> %v16, ptr %results, align 4
  ret void
}
