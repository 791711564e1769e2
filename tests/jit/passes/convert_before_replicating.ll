; Scales of which four invocations have the same one: they are converted where they are loaded, also where
; another side of a branch has one for each invocation, and where pairs of numbers were repeated and then taken apart;
; where it is less than a register, too.
; passes: convert-before-replicating
; isa: avx2
; expect-count: 2 fpext <8 x half> %loaded to <8 x float>
; expect-count: 3 shufflevector <8 x float>
; expect: fpext <32 x half> %each to <32 x float>
; expect: phi <32 x float>
; expect: fpext <8 x half> %[0-9]+ to <8 x float>
; expect: shufflevector <8 x float> %[0-9]+, <8 x float> %[0-9]+, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 2,
; expect: fpext <4 x half> %few to <4 x float>
; expect-not: phi <32 x half>
; expect-not: shufflevector <8 x half>
define internal void @subgroup(ptr %from, ptr %to, i1 %apart) !tessera.function !{!"subgroup"} {
entry:
  %loaded = load <8 x half>, ptr %from
  %four = shufflevector <8 x half> %loaded, <8 x half> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 2, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3, i32 3, i32 4, i32 4, i32 4, i32 4, i32 5, i32 5, i32 5, i32 5, i32 6, i32 6, i32 6, i32 6, i32 7, i32 7, i32 7, i32 7>
  %wide = fpext <32 x half> %four to <32 x float>
  store volatile <32 x float> %wide, ptr %to
  br i1 %apart, label %one, label %other
one:
  %each = load <32 x half>, ptr %to
  br label %both
other:
  %again = shufflevector <8 x half> %loaded, <8 x half> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 2, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3, i32 3, i32 4, i32 4, i32 4, i32 4, i32 5, i32 5, i32 5, i32 5, i32 6, i32 6, i32 6, i32 6, i32 7, i32 7, i32 7, i32 7>
  br label %both
both:
  %met = phi <32 x half> [ %each, %one ], [ %again, %other ]
  %converted = fpext <32 x half> %met to <32 x float>
  store volatile <32 x float> %converted, ptr %to
  %next = getelementptr i8, ptr %from, i64 16
  %low = load <8 x i16>, ptr %from
  %high = load <8 x i16>, ptr %next
  %pairs = shufflevector <8 x i16> %low, <8 x i16> %high, <64 x i32> <i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 2, i32 3, i32 2, i32 3, i32 2, i32 3, i32 2, i32 3, i32 4, i32 5, i32 4, i32 5, i32 4, i32 5, i32 4, i32 5, i32 6, i32 7, i32 6, i32 7, i32 6, i32 7, i32 6, i32 7, i32 8, i32 9, i32 8, i32 9, i32 8, i32 9, i32 8, i32 9, i32 10, i32 11, i32 10, i32 11, i32 10, i32 11, i32 10, i32 11, i32 12, i32 13, i32 12, i32 13, i32 12, i32 13, i32 12, i32 13, i32 14, i32 15, i32 14, i32 15, i32 14, i32 15, i32 14, i32 15>
  %halves = bitcast <64 x i16> %pairs to <64 x half>
  %first = shufflevector <64 x half> %halves, <64 x half> poison, <32 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30, i32 32, i32 34, i32 36, i32 38, i32 40, i32 42, i32 44, i32 46, i32 48, i32 50, i32 52, i32 54, i32 56, i32 58, i32 60, i32 62>
  %scales = fpext <32 x half> %first to <32 x float>
  store volatile <32 x float> %scales, ptr %to
  %few = load <4 x half>, ptr %from
  %two = shufflevector <4 x half> %few, <4 x half> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
  %half.register = fpext <8 x half> %two to <8 x float>
  store volatile <8 x float> %half.register, ptr %to
  ret void
}
