; Lanes that read on in rows of their own, where that may change what is read, or is not known to go on.
; passes: read-rows-ahead, report-accesses
; isa: reference
; expect-count: 0 call void @tessera\.rows
; remark: 32 bits: .*but its loop writes to memory, which may be what it reads
; remark: 16 bits: .*but not in every iteration of its loop
; remark: 64 bits: .*but it is not the same invocations that read in every iteration
; remark: 8 bits: .*but how many iterations its loop has left is not known
; remark: 32 bits: .*but its index may wrap around at 2\^32
; remark: 32 bits: .*but too little of each row is read
define internal void @subgroup(ptr %d, <4 x i32> %row, <4 x i64> %place, i32 %x, ptr %result) !tessera.function !{!"subgroup"} {
entry:
  %buffer = load ptr, ptr %d
  br label %writes
writes:
  %k1 = phi i32 [ 0, %entry ], [ %next1, %writes ]
  %a1 = insertelement <4 x i32> poison, i32 %k1, i64 0
  %all1 = shufflevector <4 x i32> %a1, <4 x i32> poison, <4 x i32> zeroinitializer
  %at1 = add <4 x i32> %row, %all1
  %wide1 = zext <4 x i32> %at1 to <4 x i64>
  %p1 = getelementptr i32, ptr %buffer, <4 x i64> %wide1
  %v1 = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %p1, <4 x i1> splat (i1 true), <4 x i32> zeroinitializer)
  store <4 x i32> %v1, ptr %result
  %next1 = add i32 %k1, 1
  %more1 = icmp ult i32 %next1, %x
  br i1 %more1, label %writes, label %sometimes
sometimes:
  %k2 = phi i32 [ 0, %writes ], [ %next2, %on2 ]
  %s2 = phi <4 x i16> [ zeroinitializer, %writes ], [ %t2, %on2 ]
  %odd2 = trunc i32 %k2 to i1
  br i1 %odd2, label %then2, label %on2
then2:
  %a2 = insertelement <4 x i32> poison, i32 %k2, i64 0
  %all2 = shufflevector <4 x i32> %a2, <4 x i32> poison, <4 x i32> zeroinitializer
  %at2 = add <4 x i32> %row, %all2
  %wide2 = zext <4 x i32> %at2 to <4 x i64>
  %p2 = getelementptr i16, ptr %buffer, <4 x i64> %wide2
  %v2 = call <4 x i16> @llvm.masked.gather.v4i16.v4p0(<4 x ptr> align 2 %p2, <4 x i1> splat (i1 true), <4 x i16> zeroinitializer)
  br label %on2
on2:
  %t2 = phi <4 x i16> [ %s2, %sometimes ], [ %v2, %then2 ]
  %next2 = add i32 %k2, 1
  %more2 = icmp ult i32 %next2, %x
  br i1 %more2, label %sometimes, label %masked
masked:
  %k3 = phi i32 [ 0, %on2 ], [ %next3, %masked ]
  %s3 = phi <4 x i64> [ zeroinitializer, %on2 ], [ %t3, %masked ]
  %a3 = insertelement <4 x i32> poison, i32 %k3, i64 0
  %all3 = shufflevector <4 x i32> %a3, <4 x i32> poison, <4 x i32> zeroinitializer
  %live3 = icmp ult <4 x i32> %all3, %row
  %at3 = add <4 x i32> %row, %all3
  %wide3 = zext <4 x i32> %at3 to <4 x i64>
  %p3 = getelementptr i64, ptr %buffer, <4 x i64> %wide3
  %v3 = call <4 x i64> @llvm.masked.gather.v4i64.v4p0(<4 x ptr> align 8 %p3, <4 x i1> %live3, <4 x i64> zeroinitializer)
  %t3 = add <4 x i64> %s3, %v3
  %next3 = add i32 %k3, 1
  %more3 = icmp ult i32 %next3, %x
  br i1 %more3, label %masked, label %finds
finds:
  %k4 = phi i32 [ 0, %masked ], [ %next4, %finds ]
  %a4 = insertelement <4 x i32> poison, i32 %k4, i64 0
  %all4 = shufflevector <4 x i32> %a4, <4 x i32> poison, <4 x i32> zeroinitializer
  %at4 = add <4 x i32> %row, %all4
  %wide4 = zext <4 x i32> %at4 to <4 x i64>
  %p4 = getelementptr i8, ptr %buffer, <4 x i64> %wide4
  %v4 = call <4 x i8> @llvm.masked.gather.v4i8.v4p0(<4 x ptr> align 1 %p4, <4 x i1> splat (i1 true), <4 x i8> zeroinitializer)
  %next4 = add i32 %k4, 1
  %found4 = bitcast <4 x i8> %v4 to i32
  %more4 = icmp ne i32 %found4, 0
  br i1 %more4, label %finds, label %anywhere
; An address of the client's, whose index has no object that ends before it wraps.
anywhere:
  %k5 = phi i32 [ 0, %finds ], [ %next5, %anywhere ]
  %s5 = phi <4 x i32> [ zeroinitializer, %finds ], [ %t5, %anywhere ]
  %a5 = insertelement <4 x i32> poison, i32 %k5, i64 0
  %all5 = shufflevector <4 x i32> %a5, <4 x i32> poison, <4 x i32> zeroinitializer
  %at5 = add <4 x i32> %row, %all5
  %wide5 = zext <4 x i32> %at5 to <4 x i64>
  %base5 = inttoptr <4 x i64> %place to <4 x ptr>
  %p5 = getelementptr i32, <4 x ptr> %base5, <4 x i64> %wide5
  %v5 = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %p5, <4 x i1> splat (i1 true), <4 x i32> zeroinitializer)
  %t5 = add <4 x i32> %s5, %v5
  %next5 = add i32 %k5, 1
  %more5 = icmp ult i32 %next5, %x
  br i1 %more5, label %anywhere, label %far
far:
  %k6 = phi i32 [ 0, %anywhere ], [ %next6, %far ]
  %s6 = phi <4 x i32> [ %t5, %anywhere ], [ %t6, %far ]
  %a6 = insertelement <4 x i32> poison, i32 %k6, i64 0
  %all6 = shufflevector <4 x i32> %a6, <4 x i32> poison, <4 x i32> zeroinitializer
  %at6 = add <4 x i32> %row, %all6
  %wide6 = zext <4 x i32> %at6 to <4 x i64>
  %p6 = getelementptr [4 x i32], ptr %buffer, <4 x i64> %wide6
  %v6 = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %p6, <4 x i1> splat (i1 true), <4 x i32> zeroinitializer)
  %t6 = add <4 x i32> %s6, %v6
  %next6 = add i32 %k6, 1
  %more6 = icmp ult i32 %next6, %x
  br i1 %more6, label %far, label %exit
exit:
  store <4 x i32> %t6, ptr %result
  %low2 = zext <4 x i16> %t2 to <4 x i64>
  %both = add <4 x i64> %low2, %t3
  store <4 x i64> %both, ptr %d
  ret void
}
