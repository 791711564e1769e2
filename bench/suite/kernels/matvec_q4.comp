#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// A matrix of 4-bit numbers less 8 with a scale for each 32 of them times a vector, a row a subgroup:
// word w of a block holds its elements w * 4 .. w * 4 + 3 in the low halves of its bytes, and those
// 16 later in the high halves (q4_0).
//! require subgroup arithmetic
//! each SPELLING INT FORM = named uint 0 | int int 0 | inline uint 1 | while uint 2 | extract uint 3
//! buffer quants u32[1024 * 32 * 4] binding 0 = random(0, 4294967295, 1)
//! buffer scales f32[1024 * 32] binding 1 = random(0.001, 0.01, 2)
//! buffer x f32[1024] binding 2 = random(-1.0, 1.0, 3)
//! buffer y f32[1024] binding 3
//! push u32 1024
//! subgroup 32
//! dispatch 1024/4
//! peer within 1e-3 abs
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Quants { uint quants[]; };
layout(binding = 1) readonly buffer Scales { float scales[]; };
layout(binding = 2) readonly buffer X { float x[]; };
layout(binding = 3) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT words = INT(size) / 8, blocks = INT(size) / 32, lane = INT(gl_SubgroupInvocationID);
  const INT row = INT(gl_WorkGroupID.x) * 4 + INT(gl_SubgroupID);
  float sum = 0;
#if FORM == 2
  INT w = lane;
  while (w < words) {
#else
  for (INT w = lane; w < words; w += 32) {
#endif
#if FORM == 1
    const uint word = quants[row * words + w];
    float part = 0;
    for (INT b = 0; b < 4; ++b)
      part += (float(word >> 8 * b & 15) - 8) * x[w / 4 * 32 + w % 4 * 4 + b] +
              (float(word >> 8 * b + 4 & 15) - 8) * x[w / 4 * 32 + w % 4 * 4 + 16 + b];
    sum += scales[row * blocks + w / 4] * part;
#elif FORM == 3
    const uint word = quants[row * words + w];
    const INT from = (w >> 2) * 32 + (w & 3) * 4;
    float part = 0;
    for (int b = 0; b < 4; ++b) {
      part += float(int(bitfieldExtract(word, 8 * b, 4)) - 8) * x[from + b];
      part += float(int(bitfieldExtract(word, 8 * b + 4, 4)) - 8) * x[from + 16 + b];
    }
    sum += scales[row * blocks + (w >> 2)] * part;
#else
    const uint word = quants[row * words + w];
    const INT block = w / 4, from = block * 32 + w % 4 * 4;
    const float scale = scales[row * blocks + block];
    float part = 0;
    for (INT b = 0; b < 4; ++b) {
      const int low = int(word >> 8 * b & 15) - 8, high = int(word >> 8 * b + 4 & 15) - 8;
      part += float(low) * x[from + b] + float(high) * x[from + 16 + b];
    }
    sum += scale * part;
#endif
#if FORM == 2
    w += 32;
#endif
  }
  sum = subgroupAdd(sum);
  if (lane == 0) y[row] = sum;
}
