; What each lane reads on in a row of its own is loaded 16 bytes of each lane at a time, where four iterations more are
; certain; and of every second element, whose row of 16 bytes ends behind the second one, where three are.
; passes: read-rows-ahead
; isa: reference
; no-remarks: yes
; expect-count: 1 call void @tessera\.rows\.4\.4\(ptr %row\.pointers, ptr %row\)
; expect-count: 1 call void @tessera\.rows\.4\.4\(ptr %row\.pointers[0-9]+, ptr %row[0-9]+\)
; expect-count: 1 icmp sge i64 %row\.turns_left, 4
; expect-count: 1 icmp sge i64 %row\.turns_left[0-9]+, 3
; expect-count: 2 select <4 x i1> %live, <4 x ptr>
; expect: udiv i32 %[0-9]+, 2
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %buffer = load ptr, ptr %d
  %one = insertelement <4 x i32> poison, i32 %y, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %rows = mul <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %live = icmp ult <4 x i32> %rows, splat (i32 100)
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %added, %body ]
  %more = icmp ult i32 %k, %x
  br i1 %more, label %body, label %second
body:
  %k1 = insertelement <4 x i32> poison, i32 %k, i64 0
  %ks = shufflevector <4 x i32> %k1, <4 x i32> poison, <4 x i32> zeroinitializer
  %at = add <4 x i32> %rows, %ks
  %wide = zext <4 x i32> %at to <4 x i64>
  %places = getelementptr float, ptr %buffer, <4 x i64> %wide
  %loaded = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %places, <4 x i1> %live, <4 x float> zeroinitializer)
  %added = fadd <4 x float> %sum, %loaded
  %next = add i32 %k, 1
  br label %loop
second:
  %m = phi i32 [ 0, %loop ], [ %next2, %body2 ]
  %sum2 = phi <4 x float> [ %sum, %loop ], [ %added2, %body2 ]
  %more2 = icmp ult i32 %m, %x
  br i1 %more2, label %body2, label %exit
body2:
  %m1 = insertelement <4 x i32> poison, i32 %m, i64 0
  %ms = shufflevector <4 x i32> %m1, <4 x i32> poison, <4 x i32> zeroinitializer
  %at2 = add <4 x i32> %rows, %ms
  %wide2 = zext <4 x i32> %at2 to <4 x i64>
  %places2 = getelementptr float, ptr %buffer, <4 x i64> %wide2
  %loaded2 = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %places2, <4 x i1> %live, <4 x float> zeroinitializer)
  %added2 = fadd <4 x float> %sum2, %loaded2
  %next2 = add i32 %m, 2
  br label %second
exit:
  store <4 x float> %sum2, ptr %shared
  ret void
}
