; On machines without masked accesses, LLVM writes a branch for each lane; up to 64 lanes that is fine. Wider accesses
; become loops over the lanes that take part.
; passes: loop-over-lanes
; isa: reference
; expect: define internal void @subgroup
; expect: call <64 x i32> @llvm\.masked\.gather
; expect: call void @llvm\.masked\.scatter
; expect: call <64 x i32> @llvm\.masked\.load
; expect: call void @llvm\.masked\.store
; expect: define internal void @wide
; expect-count: 4 call .*@llvm\.masked
; expect-count: 4 call .*@llvm\.cttz
define internal void @subgroup(<64 x i1> %mask, <64 x i32> %offsets, ptr %data, <64 x i32> %values, ptr %results) !tessera.function !{!"subgroup"} {
entry:
  %pointers = getelementptr i8, ptr %data, <64 x i32> %offsets
  %gather = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 4 %pointers, <64 x i1> %mask, <64 x i32> %values)
  store <64 x i32> %gather, ptr %results, align 4
  call void @llvm.masked.scatter.v64i32.v64p0(<64 x i32> %values, <64 x ptr> align 4 %pointers, <64 x i1> %mask)
  %load = call <64 x i32> @llvm.masked.load.v64i32.p0(ptr align 4 %data, <64 x i1> %mask, <64 x i32> %values)
  store <64 x i32> %load, ptr %results, align 4
  call void @llvm.masked.store.v64i32.p0(<64 x i32> %values, ptr align 4 %data, <64 x i1> %mask)
  ret void
}
define internal void @wide(<72 x i1> %mask, <72 x i32> %offsets, ptr %data, <72 x i32> %values, ptr %results) {
entry:
  %pointers = getelementptr i8, ptr %data, <72 x i32> %offsets
  %gather = call <72 x i32> @llvm.masked.gather.v72i32.v72p0(<72 x ptr> align 4 %pointers, <72 x i1> %mask, <72 x i32> %values)
  store <72 x i32> %gather, ptr %results, align 4
  call void @llvm.masked.scatter.v72i32.v72p0(<72 x i32> %values, <72 x ptr> align 4 %pointers, <72 x i1> %mask)
  %load = call <72 x i32> @llvm.masked.load.v72i32.p0(ptr align 4 %data, <72 x i1> %mask, <72 x i32> %values)
  store <72 x i32> %load, ptr %results, align 4
  call void @llvm.masked.store.v72i32.p0(<72 x i32> %values, ptr align 4 %data, <72 x i1> %mask)
  ret void
}
