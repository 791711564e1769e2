; Three accesses behind tests in a row: behind all tests together stand all vector loads and what is made of them, in one
; block. The second test is made in front, of what stood between; the third one's numbers come from a block that unrolling
; has left. What others use is chosen behind it.
; passes: join-tests
; isa: avx2
; expect: %second\.wide = sext i32 %second to i64
; expect: and i1
; expect: and i1
; expect: br i1 %[0-9]+, label %joined, label %tested
; expect: joined:
; expect: load <8 x float>, ptr %at1[0-9]+, align 4
; expect: fmul <8 x float>
; expect: load <8 x float>, ptr %at2[0-9]+, align 4
; expect: load <8 x float>, ptr %at3[0-9]+, align 4
; expect: fadd <8 x float>
; expect: br label
; expect: tested:
; expect: br i1 %test1, label %together1, label %apart1
; expect-count: 6 = load <8 x float>
; expect-count: 3 call <8 x float> @llvm\.masked\.gather
; expect: phi <8 x float> \[ %sum3[0-9]+, %joined \], \[ %sum3, %
define internal void @subgroup(ptr %d, ptr %result, i64 %first, i32 %second, i64 %third, i64 %size, <8 x ptr> %p) !tessera.function !{!"subgroup"} {
entry:
  %buffer = load ptr, ptr %d
  %test1 = icmp sle i64 %first, %size
  br i1 %test1, label %together1, label %apart1
together1:
  %at1 = getelementptr i8, ptr %buffer, i64 %first
  %a1 = load <8 x float>, ptr %at1, align 4
  br label %behind1
apart1:
  %b1 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %p, <8 x i1> splat (i1 true), <8 x float> zeroinitializer), !tessera.behind_test !0
  br label %behind1
behind1:
  %v1 = phi <8 x float> [ %a1, %together1 ], [ %b1, %apart1 ]
  %square = fmul <8 x float> %v1, %v1
  %second.wide = sext i32 %second to i64
  %test2 = icmp sle i64 %second.wide, %size
  br i1 %test2, label %together2, label %apart2
together2:
  %at2 = getelementptr i8, ptr %buffer, i64 %second.wide
  %a2 = load <8 x float>, ptr %at2, align 4
  br label %behind2
apart2:
  %b2 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %p, <8 x i1> splat (i1 true), <8 x float> zeroinitializer), !tessera.behind_test !0
  br label %behind2
behind2:
  %v2 = phi <8 x float> [ %a2, %together2 ], [ %b2, %apart2 ]
  br label %next
next:
  %sum2 = fadd <8 x float> %square, %v2
  %test3 = icmp sle i64 %third, %size
  br i1 %test3, label %together3, label %apart3
together3:
  %at3 = getelementptr i8, ptr %buffer, i64 %third
  %a3 = load <8 x float>, ptr %at3, align 4
  br label %behind3
apart3:
  %b3 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %p, <8 x i1> splat (i1 true), <8 x float> zeroinitializer), !tessera.behind_test !0
  br label %behind3
behind3:
  %v3 = phi <8 x float> [ %a3, %together3 ], [ %b3, %apart3 ]
  %sum3 = fadd <8 x float> %sum2, %v3
  %wanted = icmp slt i64 %first, %third
  br i1 %wanted, label %end, label %other
end:
  store <8 x float> %sum3, ptr %result
  ret void
other:
  ret void
}
!0 = !{}
