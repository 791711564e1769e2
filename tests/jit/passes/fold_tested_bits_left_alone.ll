; Nothing is known where a test has not been passed: beside it, before it, behind a block that both edges lead to, and
; of bits that a sum carries into. A test of all lanes says nothing about one number.
; passes: fold-tested-bits
; isa: reference
; expect: store volatile i32 %before, ptr %to
; expect: store volatile i32 %carried, ptr %to
; expect: store volatile i32 %beside, ptr %to
; expect: store volatile i32 %joined, ptr %to
; expect: store volatile <4 x i32> %parts, ptr %to
define internal void @subgroup(ptr %p, ptr %to, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %bit = and i32 %x, 16
  %is0 = icmp eq i32 %bit, 0
  %before = and i32 %x, 16
  store volatile i32 %before, ptr %to
  br i1 %is0, label %settled, label %others
settled:
  %sum = add i32 %x, 1
  %carried = and i32 %sum, 16
  store volatile i32 %carried, ptr %to
  br label %join
others:
  %beside = and i32 %x, 24
  store volatile i32 %beside, ptr %to
  br label %join
join:
  %joined = and i32 %x, 16
  store volatile i32 %joined, ptr %to
  %v = load volatile <4 x i32>, ptr %to
  %zeros = icmp eq <4 x i32> %v, zeroinitializer
  %mask = bitcast <4 x i1> %zeros to i4
  %are0 = icmp eq i4 %mask, -1
  br i1 %are0, label %zero, label %end
zero:
  %parts = and <4 x i32> %v, splat (i32 1)
  store volatile <4 x i32> %parts, ptr %to
  br label %end
end:
  ret void
}
