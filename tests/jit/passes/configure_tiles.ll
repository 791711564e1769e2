; passes: emulate-tiles, configure-tiles
; isa: reference
; expect: @tile\.configuration = private unnamed_addr constant \[64 x i8\] c"\\01(\\00){15}(@\\00){8}(\\00){16}(\\10){8}(\\00){8}", align 64
; expect: define internal void @helper
; expect: call void @llvm\.x86\.tilezero\(i8 3\)
; expect: ret void
; expect: define void @kernel
; expect: = alloca i32
; expect: call void @llvm\.x86\.ldtilecfg\(ptr @tile\.configuration\)
; expect: br i1
; expect: call void @llvm\.x86\.tilerelease\(\)
; expect: ret void
; expect: call void @llvm\.x86\.tilerelease\(\)
; expect: ret void
; expect-count: 2 call void @llvm\.x86\.tilerelease
; expect-count: 1 call void @llvm\.x86\.ldtilecfg
define internal void @helper() {
  call void @llvm.x86.tilezero(i8 3)
  ret void
}

define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z, i32 %count) {
  %variable = alloca i32
  %first = icmp eq i32 %x, 0
  br i1 %first, label %multiply, label %stopped

multiply:
  call void @helper()
  ret void

stopped:
  ret void
}

declare void @llvm.x86.tilezero(i8)
