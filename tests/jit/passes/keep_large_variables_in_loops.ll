; A variable of a large matrix whose parts are not reached stays local. One whose parts are reached behind a loop moves
; to the frame, but the loop has a local one: it gets the matrix before the loop, and gives it back behind it.
; passes: keep-large-variables
; isa: reference
; expect: %v1 = alloca
; expect: %0 = alloca <1024 x float>
; expect: %v2 = getelementptr i8, ptr %frame, i64 0$
; expect: store <1024 x float> %after1, ptr %v1
; expect: store <1024 x float> %[0-9]+, ptr %0
; expect: %before2 = load <1024 x float>, ptr %0
; expect: store <1024 x float> %after2, ptr %0
; expect: ^exit:
; expect: %3 = getelementptr inbounds i8, ptr %v2, i64 0
; expect: %4 = load <1024 x float>, ptr %0
; expect: store <1024 x float> %4, ptr %3
; expect-count: 2 = alloca
define internal void @subgroup(i32 %n, i32 %other, ptr %frame) !tessera.function !{!"subgroup"} {
entry:
  %v1 = alloca [4096 x i8], align 64
  %v2 = alloca [4096 x i8], align 64
  store <1024 x float> zeroinitializer, ptr %v1, align 4
  store <1024 x float> zeroinitializer, ptr %v2, align 4
  br label %loop1
loop1:
  %i1 = phi i32 [ 0, %entry ], [ %next1, %loop1 ]
  %at1 = getelementptr i8, ptr %v1, i64 0
  %before1 = load <1024 x float>, ptr %at1, align 4
  %after1 = fadd <1024 x float> %before1, splat (float 1.0)
  store <1024 x float> %after1, ptr %v1, align 4
  %next1 = add i32 %i1, 1
  %more1 = icmp ult i32 %next1, %n
  br i1 %more1, label %loop1, label %loop2
loop2:
  %i2 = phi i32 [ 0, %loop1 ], [ %next2, %loop2 ]
  %at2 = getelementptr i8, ptr %v2, i64 0
  %before2 = load <1024 x float>, ptr %at2, align 4
  %after2 = fadd <1024 x float> %before2, splat (float 1.0)
  store <1024 x float> %after2, ptr %v2, align 4
  %next2 = add i32 %i2, 1
  %more2 = icmp ult i32 %next2, %n
  br i1 %more2, label %loop2, label %exit
exit:
  %place2 = getelementptr i8, ptr %v2, i64 64
  store <32 x float> zeroinitializer, ptr %place2, align 4
  ret void
}
