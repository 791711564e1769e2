#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
// A value of each kind of type, in variables of the invocation and in memory of all kinds.
//! buffer linked f32[8] = i * 1.5
//! buffer chain u32[4] = { u64 &linked, u32 77, pad 4 }
//! buffer numbers f32[40] binding 0 dynamic 32 = i
//! buffer small u8[24] binding 1 = { u8 200, s8 -3, u16 60000, s16 -1234, pad 2, u32 1, f16 1.5, pad 2, f64 0.125 }
//! buffer uniforms f32[20] binding 2 uniform = i + 100
//! buffer inlined f32[4] binding 3 inline = i * 11
//! buffer results f32[64] binding 4
//! buffer points f32[18] binding 5 = i
//! push u64 &chain, f32 2.5, u32 3
//! debug
//! dispatch 1
layout(local_size_x = 32) in;
layout(buffer_reference, scalar) buffer Linked { float values[8]; };
layout(buffer_reference, scalar) buffer Chain { Linked next; uint tag; };
struct Small { uint8_t a; int8_t b; uint16_t c; int16_t d; bool e; float16_t f; double g; };
layout(binding = 0) buffer Numbers { float numbers[8]; };
layout(binding = 1, scalar) buffer Smalls { Small small; } smalls;
layout(binding = 2, std140) uniform Uniforms { mat2x3 matrix; layout(row_major) mat2x3 rows; } uniforms;
layout(binding = 3) uniform Inlined { vec4 inlined; };
layout(binding = 4) buffer Results { float results[64]; };
layout(binding = 5) buffer Points { float first; vec3 points[]; };
layout(push_constant, scalar) uniform Push { Chain chain; float factor; uint rounds; } push;
struct Inner { vec2 at; uint count; };
struct Outer { Inner inner[2]; bool flag; mat2x3 turn; };
shared Outer together;
shared uint16_t halves[3];

void main() {
  uint i = gl_LocalInvocationIndex;
  bool odd = i % 2 == 1;
  int8_t s8 = int8_t(-int(i));
  uint8_t u8 = uint8_t(200 + i);
  int16_t s16 = int16_t(-300 - int(i));
  uint16_t u16 = uint16_t(60000 + i);
  int s32 = -70000 - int(i);
  int64_t s64 = -5000000000L - int64_t(i);
  uint64_t u64 = 18000000000000000000UL + uint64_t(i);
  float16_t f16 = float16_t(i) + 0.5hf;
  double f64 = double(i) + 0.25LF;
  bfloat16_t bf16 = bfloat16_t(float(i) * 0.5 + 1.0);
  floate4m3_t e4m3 = floate4m3_t(float(i) * 0.25);
  floate5m2_t e5m2 = floate5m2_t(float(i) * -0.25);
  bvec3 several = bvec3(odd, true, !odd);
  u8vec4 bytes = u8vec4(1, 2, 3, i);
  i64vec2 longs = i64vec2(i, -1);
  mat2x3 turn = mat2x3(1, 2, 3, 4, 5, float(i));
  Outer outer;
  outer.inner[0] = Inner(vec2(i, 1), i);
  outer.inner[1] = Inner(vec2(2, i), i + 1);
  outer.flag = odd;
  outer.turn = turn;
  float list[24];
  for (uint k = 0; k < 24; ++k) list[k] = float(k * i);
  uint shorts[4] = uint[](i, i + 1, i + 2, i + 3);
  Chain chain = push.chain;
  if (i == 0) {
    together.inner[1].count = 9;
    together.flag = true;
    together.turn = turn;
    halves[0] = halves[1] = uint16_t(5);
    halves[2] = uint16_t(65535);
  }
  barrier();
  float sum = list[i % 24] + float(shorts[i % 4]) + chain.next.values[i % 8];
  sum += outer.turn[1].z + float(bf16) + float(e4m3) + float(e5m2) + float(f16) + float(f64);
  sum += float(s8) + float(u8) + float(s16) + float(u16) + float(s32) + float(s64) + float(u64);
  sum += float(several.x) + float(bytes.w) + float(longs.x) + numbers[i % 8] + float(smalls.small.a);
  sum += uniforms.rows[1].z + inlined.y + together.turn[0].y + float(halves[0]);
  sum += points[i % 3].x + first;
  results[i] = sum;  // all are set
}
