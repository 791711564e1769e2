; A number whose bits 4 to 7 are zero, as tests of a part of it, of two parts at once and of a limit say, in either order
; and frozen: what each lane computes from those bits of its own number is a constant for each lane, and what the
; scalars do one for all. Behind the other edge of a negated test the same holds.
; passes: fold-tested-bits
; isa: reference
; expect: ^settled:
; expect: lshr <4 x i32> %w, <i32 0, i32 0, i32 4, i32 4>
; expect: getelementptr i8, ptr %p, i64 0
; expect: store volatile <4 x i1> <i1 true, i1 true, i1 false, i1 false>, ptr %to
; expect: ^small:
; expect: store volatile <4 x i32> <i32 0, i32 1, i32 2, i32 3>, ptr %to
; expect: ^exact:
; expect: store volatile i32 21, ptr %to
define internal void @subgroup(ptr %p, ptr %to, ptr %frame, i32 %a, i32 %b, i32 %z, i32 %stream) !tessera.function !{!"subgroup"} {
entry:
  %x = add i32 %a, %b
  %part = and i32 %x, 224
  %is0 = icmp eq i32 %part, 0
  %bit = and i32 %x, 16
  %low = and i32 %b, 3
  %both = or i32 %low, %bit
  %is1 = icmp eq i32 %both, 0
  %all = and i1 %is0, %is1
  %test = freeze i1 %all
  %s = insertelement <4 x i32> poison, i32 %x, i64 0
  %splat = shufflevector <4 x i32> %s, <4 x i32> poison, <4 x i32> zeroinitializer
  %lanes = add <4 x i32> %splat, <i32 256, i32 272, i32 288, i32 304>
  br i1 %test, label %settled, label %others
settled:
  %w = load volatile <4 x i32>, ptr %to
  %half = lshr <4 x i32> %lanes, splat (i32 5)
  %odd = and <4 x i32> %half, splat (i32 1)
  %shift = shl <4 x i32> %odd, splat (i32 2)
  %nibbles = lshr <4 x i32> %w, %shift
  store volatile <4 x i32> %nibbles, ptr %to
  %word = lshr i32 %x, 5
  %bytes = shl i32 %word, 4
  %within = and i32 %bytes, 96
  %offset = zext i32 %within to i64
  %at = getelementptr i8, ptr %p, i64 %offset
  store volatile i32 1, ptr %at
  %is.even = icmp eq <4 x i32> %odd, zeroinitializer
  store volatile <4 x i1> %is.even, ptr %to
  br label %end
others:
  %large = icmp ugt i32 %z, 3
  br i1 %large, label %more, label %small
small:
  %t = insertelement <4 x i32> poison, i32 %z, i64 0
  %zs = shufflevector <4 x i32> %t, <4 x i32> poison, <4 x i32> zeroinitializer
  %next = add <4 x i32> %zs, <i32 0, i32 8, i32 16, i32 24>
  %eighth = lshr <4 x i32> %next, splat (i32 3)
  store volatile <4 x i32> %eighth, ptr %to
  br label %end
more:
  %high = lshr i32 %z, 4
  %is.five = icmp eq i32 %high, 5
  %low.bit = and i32 %z, 15
  %is.one = icmp eq i32 %low.bit, 1
  %known = select i1 %is.five, i1 %is.one, i1 false
  br i1 %known, label %exact, label %end
exact:
  %folded = lshr i32 %z, 2
  %added = add i32 %folded, 1
  store volatile i32 %added, ptr %to
  br label %end
end:
  ret void
}
