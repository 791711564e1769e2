; A variable that holds a large matrix moves from the stack to the frame where parts of the matrix are reached. It is
; not local in loops that reach parts, that only read, or that have two matrices of the variable, nor where others may
; reach it.
; passes: keep-large-variables
; isa: reference
; expect: %v1 = getelementptr i8, ptr %frame, i64 0$
; expect: %v2 = getelementptr i8, ptr %frame, i64 4096$
; expect: %v3 = getelementptr i8, ptr %frame, i64 8192$
; expect: %v4 = getelementptr i8, ptr %frame, i64 12288$
; expect: %v5 = getelementptr i8, ptr %frame, i64 16384$
; expect-not: = alloca
declare void @tessera.debug_printf(ptr)
define internal void @subgroup(i32 %n, i32 %other, ptr %frame) !tessera.function !{!"subgroup"} {
entry:
  %v1 = alloca [4096 x i8], align 64
  %v2 = alloca [4096 x i8], align 64
  %v3 = alloca [4096 x i8], align 64
  %v4 = alloca [4096 x i8], align 64
  %v5 = alloca [4096 x i8], align 64
  store <1024 x float> zeroinitializer, ptr %v1, align 4
  store <1024 x float> zeroinitializer, ptr %v2, align 4
  store <1024 x float> zeroinitializer, ptr %v3, align 4
  store <1024 x float> zeroinitializer, ptr %v4, align 4
  store <1024 x float> zeroinitializer, ptr %v5, align 4
  br label %loop1
loop1:
  %i1 = phi i32 [ 0, %entry ], [ %next1, %loop1 ]
  %place1 = getelementptr i8, ptr %v1, i64 64
  store <32 x float> zeroinitializer, ptr %place1, align 4
  %next1 = add i32 %i1, 1
  %more1 = icmp ult i32 %next1, %n
  br i1 %more1, label %loop1, label %loop2
loop2:
  %i2 = phi i32 [ 0, %loop1 ], [ %next2, %loop2 ]
  %at2 = getelementptr i8, ptr %v2, i64 0
  %before2 = load <1024 x float>, ptr %at2, align 4
  %after2 = fadd <1024 x float> %before2, splat (float 1.0)
  store <1024 x float> %after2, ptr %v2, align 4
  %place2 = getelementptr i8, ptr %v2, i64 64
  store <32 x float> zeroinitializer, ptr %place2, align 4
  %next2 = add i32 %i2, 1
  %more2 = icmp ult i32 %next2, %n
  br i1 %more2, label %loop2, label %loop3
loop3:
  %i3 = phi i32 [ 0, %loop2 ], [ %next3, %loop3 ]
  %read3 = load <1024 x float>, ptr %v3, align 4
  %next3 = add i32 %i3, 1
  %more3 = icmp ult i32 %next3, %n
  br i1 %more3, label %loop3, label %loop4
loop4:
  %i4 = phi i32 [ 0, %loop3 ], [ %next4, %loop4 ]
  %at4 = getelementptr i8, ptr %v4, i64 0
  %before4 = load <1024 x float>, ptr %at4, align 4
  %after4 = fadd <1024 x float> %before4, splat (float 1.0)
  store <1024 x float> %after4, ptr %v4, align 4
  %second4 = getelementptr i8, ptr %v4, i64 2048
  store <1024 x float> %before4, ptr %second4, align 4
  %next4 = add i32 %i4, 1
  %more4 = icmp ult i32 %next4, %n
  br i1 %more4, label %loop4, label %loop5
loop5:
  %i5 = phi i32 [ 0, %loop4 ], [ %next5, %loop5 ]
  %at5 = getelementptr i8, ptr %v5, i64 0
  %before5 = load <1024 x float>, ptr %at5, align 4
  %after5 = fadd <1024 x float> %before5, splat (float 1.0)
  store <1024 x float> %after5, ptr %v5, align 4
  %next5 = add i32 %i5, 1
  %more5 = icmp ult i32 %next5, %n
  br i1 %more5, label %loop5, label %exit
exit:
  %place3 = getelementptr i8, ptr %v3, i64 64
  store <32 x float> zeroinitializer, ptr %place3, align 4
  %place4 = getelementptr i8, ptr %v4, i64 64
  store <32 x float> zeroinitializer, ptr %place4, align 4
  %place5 = getelementptr i8, ptr %v5, i64 64
  store <32 x float> zeroinitializer, ptr %place5, align 4
  call void @tessera.debug_printf(ptr %v5)
  ret void
}
