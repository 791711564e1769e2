; Bounds of another number than what is added to the address say nothing of it: it may wrap around below the limit.
; passes: read-rows-ahead, report-accesses
; isa: reference
; expect-count: 0 tessera\.rows
; remark: gather
declare i64 @llvm.usub.sat.i64(i64, i64)
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream, <4 x i1> %live) !tessera.function !{!"subgroup"} {
entry:
  %buffer = load ptr, ptr %d
  %size = ptrtoint ptr %frame to i64
  %one = insertelement <4 x i32> poison, i32 %y, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %rows = mul <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %added, %body ]
  %more = icmp ult i32 %k, %x
  br i1 %more, label %body, label %exit
body:
  %k1 = insertelement <4 x i32> poison, i32 %k, i64 0
  %ks = shufflevector <4 x i32> %k1, <4 x i32> poison, <4 x i32> zeroinitializer
  %at = add <4 x i32> %rows, %ks
  %wide = zext <4 x i32> %at to <4 x i64>
  %bytes = shl <4 x i64> %wide, splat (i64 2)
  %limit = call i64 @llvm.usub.sat.i64(i64 %size, i64 3)
  %l1 = insertelement <4 x i64> poison, i64 %limit, i64 0
  %ls = shufflevector <4 x i64> %l1, <4 x i64> poison, <4 x i32> zeroinitializer
  %inside = icmp ult <4 x i64> %wide, %ls
  %mask = and <4 x i1> %inside, %live
  %places = getelementptr i8, ptr %buffer, <4 x i64> %bytes
  %loaded = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %places, <4 x i1> %mask, <4 x float> zeroinitializer)
  %added = fadd <4 x float> %sum, %loaded
  %next = add i32 %k, 1
  br label %loop
exit:
  store <4 x float> %sum, ptr %shared
  ret void
}
