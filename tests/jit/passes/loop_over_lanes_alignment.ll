; A loop over the lanes of a vector accesses each as its element is aligned, also where the whole vector is aligned
; better.
; passes: loop-over-lanes
; isa: reference
; expect: @load_i16
; expect: ^lanes:
; expect: = getelementptr inbounds i16, ptr %data
; expect: = load i16, ptr %[0-9]+, align 2$
; expect: store i16 %[0-9]+, ptr %[0-9]+, align 2$
; expect: @store_i16
; expect: ^lanes:
; expect: = getelementptr inbounds i16, ptr %data
; expect: = load i16, ptr %[0-9]+, align 2$
; expect: store i16 %[0-9]+, ptr %[0-9]+, align 2$
; expect: @load_i32
; expect: ^lanes:
; expect: = getelementptr inbounds i32, ptr %data
; expect: = load i32, ptr %[0-9]+, align 4$
; expect: store i32 %[0-9]+, ptr %[0-9]+, align 4$
; expect: @store_i32
; expect: ^lanes:
; expect: = getelementptr inbounds i32, ptr %data
; expect: = load i32, ptr %[0-9]+, align 4$
; expect: store i32 %[0-9]+, ptr %[0-9]+, align 4$
; expect: @load_ptr
; expect: ^lanes:
; expect: = getelementptr inbounds ptr, ptr %data
; expect: = load ptr, ptr %[0-9]+, align 8$
; expect: store ptr %[0-9]+, ptr %[0-9]+, align 8$
; expect: @store_ptr
; expect: ^lanes:
; expect: = getelementptr inbounds ptr, ptr %data
; expect: = load ptr, ptr %[0-9]+, align 8$
; expect: store ptr %[0-9]+, ptr %[0-9]+, align 8$
; expect-count: 6 call .*@llvm\.cttz
define internal void @load_i16(<128 x i1> %mask, <128 x i32> %offsets, ptr %data, <128 x i16> %values, ptr %results) {
entry:
  %pointers = getelementptr i8, ptr %data, <128 x i32> %offsets
  %v = call <128 x i16> @llvm.masked.load.v128i16.p0(ptr align 64 %data, <128 x i1> %mask, <128 x i16> %values)
  store <128 x i16> %v, ptr %results, align 4
  ret void
}
define internal void @store_i16(<128 x i1> %mask, <128 x i32> %offsets, ptr %data, <128 x i16> %values, ptr %results) {
entry:
  %pointers = getelementptr i8, ptr %data, <128 x i32> %offsets
  call void @llvm.masked.store.v128i16.p0(<128 x i16> %values, ptr align 64 %data, <128 x i1> %mask)
  ret void
}
define internal void @load_i32(<128 x i1> %mask, <128 x i32> %offsets, ptr %data, <128 x i32> %values, ptr %results) {
entry:
  %pointers = getelementptr i8, ptr %data, <128 x i32> %offsets
  %v = call <128 x i32> @llvm.masked.load.v128i32.p0(ptr align 64 %data, <128 x i1> %mask, <128 x i32> %values)
  store <128 x i32> %v, ptr %results, align 4
  ret void
}
define internal void @store_i32(<128 x i1> %mask, <128 x i32> %offsets, ptr %data, <128 x i32> %values, ptr %results) {
entry:
  %pointers = getelementptr i8, ptr %data, <128 x i32> %offsets
  call void @llvm.masked.store.v128i32.p0(<128 x i32> %values, ptr align 64 %data, <128 x i1> %mask)
  ret void
}
define internal void @load_ptr(<128 x i1> %mask, <128 x i32> %offsets, ptr %data, <128 x ptr> %values, ptr %results) {
entry:
  %pointers = getelementptr i8, ptr %data, <128 x i32> %offsets
  %v = call <128 x ptr> @llvm.masked.load.v128p0.p0(ptr align 64 %data, <128 x i1> %mask, <128 x ptr> %values)
  store <128 x ptr> %v, ptr %results, align 4
  ret void
}
define internal void @store_ptr(<128 x i1> %mask, <128 x i32> %offsets, ptr %data, <128 x ptr> %values, ptr %results) {
entry:
  %pointers = getelementptr i8, ptr %data, <128 x i32> %offsets
  call void @llvm.masked.store.v128p0.p0(<128 x ptr> %values, ptr align 64 %data, <128 x i1> %mask)
  ret void
}
