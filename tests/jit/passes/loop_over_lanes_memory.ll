; What the loops keep of their operands in memory is shared: a second gather takes no more of the stack than the first.
; passes: loop-over-lanes
; isa: reference
; expect: define internal void @one
; expect: define internal void @two
; expect-count: 6 = alloca
; expect-count: 3 call .*@llvm\.cttz
define internal void @one(<128 x i1> %mask, <128 x i32> %offsets, ptr %data, <128 x i32> %values, ptr %results) {
entry:
  %pointers = getelementptr i8, ptr %data, <128 x i32> %offsets
  %v = call <128 x i32> @llvm.masked.gather.v128i32.v128p0(<128 x ptr> align 4 %pointers, <128 x i1> %mask, <128 x i32> %values)
  store <128 x i32> %v, ptr %results, align 4
  ret void
}
define internal void @two(<128 x i1> %mask, <128 x i32> %offsets, ptr %data, <128 x i32> %values, ptr %results) {
entry:
  %pointers = getelementptr i8, ptr %data, <128 x i32> %offsets
  %first = call <128 x i32> @llvm.masked.gather.v128i32.v128p0(<128 x ptr> align 4 %pointers, <128 x i1> %mask, <128 x i32> zeroinitializer)
  store <128 x i32> %first, ptr %results, align 4
  %again = getelementptr i8, ptr %data, <128 x i32> %first
  %second = call <128 x i32> @llvm.masked.gather.v128i32.v128p0(<128 x ptr> align 4 %again, <128 x i1> %mask, <128 x i32> %first)
  store <128 x i32> %second, ptr %results, align 4
  ret void
}
