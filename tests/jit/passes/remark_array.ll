; An array whose elements are reached at a place known at run time only.
; passes: report-accesses
; isa: reference
; remark: array-in-memory: .array., 64 bytes
define internal void @subgroup(i32 %n, ptr %result) !tessera.function !{!"subgroup"} {
  %array = alloca [16 x i32]
  %at = getelementptr [16 x i32], ptr %array, i32 0, i32 %n
  store i32 1, ptr %at
  %first = load i32, ptr %array
  store i32 %first, ptr %result
  ret void
}
