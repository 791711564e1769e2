#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_control_flow_attributes : require
// Products of rows of blocks with a vector, two rows a workgroup. A block has 256 numbers of 4 bits, 16 scales, and a
// scale of those; 16 invocations read one, and hand the scales to each other by shared memory. All of a block is
// unpacked before any of it is multiplied, which is more than registers hold.
//! require shaderFloat16 shaderInt8 storageBuffer16BitAccess storageBuffer8BitAccess
//! each INT = uint | int
//! each BLOCKS = 6 | pushed
//! remarks "gather" 0 "scatter" 0
//! buffer a u8[4 * 6 * 146] binding 0 = i % 146 == 144 ? 0 : i % 146 == 145 ? 0x3c : i % 146 >= 128 ? i % 5 : i % 251
//! buffer x f32[6 * 256] binding 1 = i % 5
//! buffer y f32[4] binding 2
//! push u32 6
//! subgroup 32
//! dispatch 2
//! expect y = sum(k, 0, 6 * 256, ((i * 6 + k / 256) * 146 + 128 + k % 256 / 16) % 5 * (k % 5) * ((k % 128 < 64 ? ((i * 6 + k / 256) * 146 + k % 256 / 128 * 64 + k % 64) % 251 % 16 : ((i * 6 + k / 256) * 146 + k % 256 / 128 * 64 + k % 64) % 251 / 16) - 8))
layout(local_size_x = 32) in;
struct Block {
  uint16_t numbers[64];
  int8_t scales[16];
  float16_t scale;
};
layout(binding = 0) readonly buffer A { Block a[]; };
layout(binding = 1) readonly buffer X { vec4 x[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint pushed; };
shared float scales[2][2][16];
shared float parts[2][32];

#define ADD(l)                                                                            \
  sum = vec4(fma(x0.l, q0.l, sum.x), fma(x1.l, q1.l, sum.y), fma(x2.l, q2.l, sum.z), \
             fma(x3.l, q3.l, sum.w));

vec4 unpacked(uint word) { return vec4(unpack8(word)) - 8.0; }

void main() {
  const INT lane = INT(gl_LocalInvocationIndex), first = INT(gl_WorkGroupID.x) * 2;
  const INT place = lane & 15, half_ = place >> 3, near = place & 7;
  float sums[2] = {0, 0};
  for (INT next = 0; next < INT(BLOCKS); next += 2) {
    const INT i = next + (lane >> 4);
    [[unroll]] for (INT n = 0; n < 2; ++n) {
      const INT block = (first + n) * INT(BLOCKS) + i;
      const uint p0 = uint(a[block].numbers[half_ * 32 + near * 2]) |
                      uint(a[block].numbers[half_ * 32 + near * 2 + 1]) << 16;
      const uint p1 = uint(a[block].numbers[half_ * 32 + near * 2 + 16]) |
                      uint(a[block].numbers[half_ * 32 + near * 2 + 17]) << 16;
      const vec4 q0 = unpacked(p0 & 0x0f0f0f0f), q1 = unpacked(p1 & 0x0f0f0f0f),
                 q2 = unpacked(p0 >> 4 & 0x0f0f0f0f), q3 = unpacked(p1 >> 4 & 0x0f0f0f0f);
      scales[n][lane >> 4][place] = float(a[block].scales[place]);
      barrier();
      const INT at = i * 64 + half_ * 32 + near, s = half_ * 8 + near / 4;
      const vec4 x0 = x[at], x1 = x[at + 8], x2 = x[at + 16], x3 = x[at + 24];
      vec4 sum = vec4(0);
      ADD(x) ADD(y) ADD(z) ADD(w)
      const float scaled = sum.x * scales[n][lane >> 4][s] + sum.y * scales[n][lane >> 4][s + 2] +
                           sum.z * scales[n][lane >> 4][s + 4] + sum.w * scales[n][lane >> 4][s + 6];
      sums[n] += scaled * float(a[block].scale);
    }
  }
  for (uint n = 0; n < 2; ++n) parts[n][lane] = sums[n];
  barrier();
  for (uint step = 16; step > 0; step /= 2) {
    for (uint n = 0; n < 2; ++n)
      if (uint(lane) < step) parts[n][lane] += parts[n][lane + INT(step)];
    barrier();
  }
  if (lane == 0)
    for (INT n = 0; n < 2; ++n) y[first + n] = parts[n][0];
}
