; passes: emulate-tiles, configure-tiles
; isa: reference
; tiles: emulated
; expect: define internal void @helper
; expect: call void @tessera\.tile_zero\(i64 3\)
; expect: call void @tessera\.tile_load\(i64 1, ptr %a, i64 %stride\)
; expect: call void @tessera\.tile_dot_bf16\(i64 3, i64 1, i64 2\)
; expect: call void @tessera\.tile_dot_us\(i64 4, i64 1, i64 2\)
; expect: call void @tessera\.tile_store\(i64 3, ptr %a, i64 64\)
; expect-not: llvm\.x86
define internal void @helper(ptr %a, i64 %stride) {
  call void @llvm.x86.tilezero(i8 3)
  call void @llvm.x86.tileloadd64(i8 1, ptr %a, i64 %stride)
  call void @llvm.x86.tdpbf16ps(i8 3, i8 1, i8 2)
  call void @llvm.x86.tdpbusd(i8 4, i8 1, i8 2)
  call void @llvm.x86.tilestored64(i8 3, ptr %a, i64 64)
  ret void
}

define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z, i32 %count) {
  call void @helper(ptr %memory, i64 64)
  ret void
}

declare void @llvm.x86.tilezero(i8)
declare void @llvm.x86.tileloadd64(i8, ptr, i64)
declare void @llvm.x86.tilestored64(i8, ptr, i64)
declare void @llvm.x86.tdpbf16ps(i8, i8, i8)
declare void @llvm.x86.tdpbusd(i8, i8, i8)
