; The loop over components of many tiles stays, and so does the one over the tiles. The tiles are in memory for
; it, which is no finding.
; passes: keep-component-loops, unroll-over-arrays, report-accesses
; isa: reference
; no-remarks: yes
; expect-count: 2 = phi
; expect-count: 1 = fmul
; expect: br i1 %more, .*, !llvm.loop
declare !tessera.matrix !{!"store", i32 4, i32 16, i32 16, i32 0} void @tessera.matrix.store.v256float.16.16.0(<256 x float>, ptr, i64, i64) memory(argmem: write) nounwind willreturn
define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %sums = alloca [32 x <256 x float>]
  br label %tiles
tiles:
  %t = phi i64 [ 0, %entry ], [ %t1, %next ]
  %whole = getelementptr <256 x float>, ptr %sums, i64 %t
  br label %components
components:
  %c = phi i64 [ 0, %tiles ], [ %c1, %components ]
  %offset = shl i64 %c, 7
  %part = getelementptr i8, ptr %whole, i64 %offset
  %v = load <32 x float>, ptr %part
  %w = fmul <32 x float> %v, %v
  store <32 x float> %w, ptr %part
  %c1 = add i64 %c, 1
  %more = icmp ult i64 %c1, 8
  br i1 %more, label %components, label %next
next:
  %sum = load <256 x float>, ptr %whole
  %to = getelementptr i8, ptr %d, i64 %t
  call void @tessera.matrix.store.v256float.16.16.0(<256 x float> %sum, ptr %to, i64 64, i64 -1)
  %t1 = add i64 %t, 1
  %less = icmp ult i64 %t1, 32
  br i1 %less, label %tiles, label %exit
exit:
  ret void
}
