; A test of what the access before has read, one behind a barrier, and one that may trap where the access before is not
; carried out: each stays where it is.
; passes: join-tests
; isa: avx2
; expect-count: 0 joined
; expect-count: 4 label %together
declare !tessera.function !{!"barrier"} void @tessera.barrier(ptr)
define internal void @subgroup(ptr %d, ptr %shared, ptr %result, i64 %first, i64 %by, i64 %size, <8 x ptr> %p) !tessera.function !{!"subgroup"} {
entry:
  %buffer = load ptr, ptr %d
  %test1 = icmp sle i64 %first, %size
  br i1 %test1, label %together1, label %apart1
together1:
  %at1 = getelementptr i8, ptr %buffer, i64 %first
  %a1 = load <8 x i64>, ptr %at1, align 4
  br label %behind1
apart1:
  %b1 = call <8 x i64> @llvm.masked.gather.v8i64.v8p0(<8 x ptr> align 4 %p, <8 x i1> splat (i1 true), <8 x i64> zeroinitializer), !tessera.behind_test !0
  br label %behind1
behind1:
  %v1 = phi <8 x i64> [ %a1, %together1 ], [ %b1, %apart1 ]
  %read = extractelement <8 x i64> %v1, i64 0
  %test2 = icmp sle i64 %read, %size
  br i1 %test2, label %together2, label %apart2
together2:
  %at2 = getelementptr i8, ptr %buffer, i64 %read
  %a2 = load <8 x i64>, ptr %at2, align 4
  br label %behind2
apart2:
  %b2 = call <8 x i64> @llvm.masked.gather.v8i64.v8p0(<8 x ptr> align 4 %p, <8 x i1> splat (i1 true), <8 x i64> zeroinitializer), !tessera.behind_test !0
  br label %behind2
behind2:
  %v2 = phi <8 x i64> [ %a2, %together2 ], [ %b2, %apart2 ]
  store <8 x i64> %v2, ptr %result
  call void @tessera.barrier(ptr %shared)
  %test3 = icmp slt i64 %first, %size
  br i1 %test3, label %together3, label %apart3
together3:
  %at3 = getelementptr i8, ptr %buffer, i64 8
  %a3 = load <8 x i64>, ptr %at3, align 4
  br label %behind3
apart3:
  %b3 = call <8 x i64> @llvm.masked.gather.v8i64.v8p0(<8 x ptr> align 4 %p, <8 x i1> splat (i1 true), <8 x i64> zeroinitializer), !tessera.behind_test !0
  br label %behind3
behind3:
  %v3 = phi <8 x i64> [ %a3, %together3 ], [ %b3, %apart3 ]
  store <8 x i64> %v3, ptr %result
  %quotient = udiv i64 %first, %by
  %test4 = icmp slt i64 %quotient, %size
  br i1 %test4, label %together4, label %apart4
together4:
  %at4 = getelementptr i8, ptr %buffer, i64 %quotient
  %a4 = load <8 x i64>, ptr %at4, align 4
  br label %behind4
apart4:
  %b4 = call <8 x i64> @llvm.masked.gather.v8i64.v8p0(<8 x ptr> align 4 %p, <8 x i1> splat (i1 true), <8 x i64> zeroinitializer), !tessera.behind_test !0
  br label %behind4
behind4:
  %v4 = phi <8 x i64> [ %a4, %together4 ], [ %b4, %apart4 ]
  store <8 x i64> %v4, ptr %result
  ret void
}
!0 = !{}
