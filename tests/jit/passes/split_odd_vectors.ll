; 24 elements cross blocks as 16 and 8.
; passes: split-odd-vectors
; isa: avx512
; expect-count: 1 = phi <16 x i32>
; expect-count: 1 = phi <8 x i32>
; expect-not: phi <24 x i32>
define internal void @helper(ptr %memory, i32 %n) {
entry:
  %begin = load <24 x i32>, ptr %memory
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <24 x i32> [ %begin, %entry ], [ %more, %loop ]
  %more = add <24 x i32> %sum, %sum
  %next = add i32 %k, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  store <24 x i32> %more, ptr %memory
  ret void
}
