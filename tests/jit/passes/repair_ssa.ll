; A use that a path around the definition reaches.
; passes: repair-ssa
; isa: reference
; expect: ^b:
; expect: phi i32 \[ undef, %entry \], \[ %x, %a \]|phi i32 \[ %x, %a \], \[ undef, %entry \]
define internal void @subgroup(i1 %c, ptr %result) !tessera.function !{!"subgroup"} {
entry:
  br i1 %c, label %a, label %b
a:
  %x = load i32, ptr %result
  br label %b
b:
  store i32 %x, ptr %result
  ret void
}
