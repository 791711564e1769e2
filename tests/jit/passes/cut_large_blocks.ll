; Blocks are cut where the registers that their instructions write are more than 600: a load of 4096 bytes writes 64,
; so nine of them are a block. Variables stay in the block, since elsewhere they would be made again and again.
; passes: cut-large-blocks
; isa: avx512
; expect: @small
; expect: %s8 = load
; expect: ret void
; expect: @large
; expect: %l8 = load
; expect: switch
; expect: ^cut[0-9]*:
; expect: %l9 = load
; expect: %l17 = load
; expect: switch
; expect: ^cut[0-9]*:
; expect: %l18 = load
; expect: @variables
; expect: %v9 = load
; expect: %variable = alloca
; expect: %w8 = load
; expect: ^cut[0-9]*:
; expect: %w9 = load
; expect-count: 3 ^cut
define internal void @small(ptr %from) {
  %s0 = load <1024 x i32>, ptr %from
  %s1 = load <1024 x i32>, ptr %from
  %s2 = load <1024 x i32>, ptr %from
  %s3 = load <1024 x i32>, ptr %from
  %s4 = load <1024 x i32>, ptr %from
  %s5 = load <1024 x i32>, ptr %from
  %s6 = load <1024 x i32>, ptr %from
  %s7 = load <1024 x i32>, ptr %from
  %s8 = load <1024 x i32>, ptr %from
  ret void
}
define internal void @large(ptr %from) {
  %l0 = load <1024 x i32>, ptr %from
  %l1 = load <1024 x i32>, ptr %from
  %l2 = load <1024 x i32>, ptr %from
  %l3 = load <1024 x i32>, ptr %from
  %l4 = load <1024 x i32>, ptr %from
  %l5 = load <1024 x i32>, ptr %from
  %l6 = load <1024 x i32>, ptr %from
  %l7 = load <1024 x i32>, ptr %from
  %l8 = load <1024 x i32>, ptr %from
  %l9 = load <1024 x i32>, ptr %from
  %l10 = load <1024 x i32>, ptr %from
  %l11 = load <1024 x i32>, ptr %from
  %l12 = load <1024 x i32>, ptr %from
  %l13 = load <1024 x i32>, ptr %from
  %l14 = load <1024 x i32>, ptr %from
  %l15 = load <1024 x i32>, ptr %from
  %l16 = load <1024 x i32>, ptr %from
  %l17 = load <1024 x i32>, ptr %from
  %l18 = load <1024 x i32>, ptr %from
  %l19 = load <1024 x i32>, ptr %from
  ret void
}
define internal void @variables(ptr %from) {
  %v0 = load <1024 x i32>, ptr %from
  %v1 = load <1024 x i32>, ptr %from
  %v2 = load <1024 x i32>, ptr %from
  %v3 = load <1024 x i32>, ptr %from
  %v4 = load <1024 x i32>, ptr %from
  %v5 = load <1024 x i32>, ptr %from
  %v6 = load <1024 x i32>, ptr %from
  %v7 = load <1024 x i32>, ptr %from
  %v8 = load <1024 x i32>, ptr %from
  %v9 = load <1024 x i32>, ptr %from
  %variable = alloca i32
  %w0 = load <1024 x i32>, ptr %from
  %w1 = load <1024 x i32>, ptr %from
  %w2 = load <1024 x i32>, ptr %from
  %w3 = load <1024 x i32>, ptr %from
  %w4 = load <1024 x i32>, ptr %from
  %w5 = load <1024 x i32>, ptr %from
  %w6 = load <1024 x i32>, ptr %from
  %w7 = load <1024 x i32>, ptr %from
  %w8 = load <1024 x i32>, ptr %from
  %w9 = load <1024 x i32>, ptr %from
  ret void
}
