; The limit is a sum itself, and comes first in the comparison: only the counter's own constants count.
; passes: read-rows-ahead
; isa: reference
; expect-count: 1 call void @tessera\.rows\.4\.4\(
; expect: sub i32 %limit, 0
; expect: icmp slt i32 0, %limit
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %buffer = load ptr, ptr %d
  %one = insertelement <4 x i32> poison, i32 %y, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %rows = mul <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %added, %body ]
  %limit = add i32 %x, -3
  %more = icmp sgt i32 %limit, %k
  br i1 %more, label %body, label %exit
body:
  %k1 = insertelement <4 x i32> poison, i32 %k, i64 0
  %ks = shufflevector <4 x i32> %k1, <4 x i32> poison, <4 x i32> zeroinitializer
  %at = add <4 x i32> %rows, %ks
  %wide = zext <4 x i32> %at to <4 x i64>
  %places = getelementptr float, ptr %buffer, <4 x i64> %wide
  %loaded = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %places, <4 x i1> splat (i1 true), <4 x float> zeroinitializer)
  %added = fadd <4 x float> %sum, %loaded
  %next = add i32 %k, 1
  br label %loop
exit:
  store <4 x float> %sum, ptr %shared
  ret void
}
