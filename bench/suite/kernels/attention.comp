#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// Attention of one query for each of 64 heads over 256 keys of 64 numbers, a workgroup a head.
//! require subgroup arithmetic
//! each SPELLING INT FORM WIDTH = for uint 0 1 | int int 0 1 | while uint 1 1 | vec4 uint 2 4
//! buffer query f32[64 * 64] binding 0 = random(-1.0, 1.0, 1)
//! buffer keys f32[64 * 256 * 64] binding 1 = random(-1.0, 1.0, 2)
//! buffer values f32[64 * 256 * 64] binding 2 = random(-1.0, 1.0, 3)
//! buffer result f32[64 * 64] binding 3
//! push u32 256
//! dispatch 64
//! peer within 2e-5 abs
layout(local_size_x = 64) in;
#if WIDTH == 4
#define TYPE vec4
#else
#define TYPE float
#endif
layout(binding = 0) readonly buffer Query { TYPE query[]; };
layout(binding = 1) readonly buffer Keys { TYPE keys[]; };
layout(binding = 2) readonly buffer Values { float values[]; };
layout(binding = 3) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint count; };
shared float scores[256];
shared float partial[64];

float reduced(float value, bool most) {
  value = most ? subgroupMax(value) : subgroupAdd(value);
  if (subgroupElect()) partial[gl_SubgroupID] = value;
  barrier();
  float all = partial[0];
  for (uint s = 1; s < gl_NumSubgroups; ++s) all = most ? max(all, partial[s]) : all + partial[s];
  barrier();
  return all;
}

void main() {
  const INT n = INT(count), head = INT(gl_WorkGroupID.x), lane = INT(gl_LocalInvocationIndex);
  float most = -1e30;
  for (INT k = lane; k < n; k += 64) {
    float score = 0;
#if FORM == 2
    for (INT d = 0; d < 16; ++d) score += dot(query[head * 16 + d], keys[(head * n + k) * 16 + d]);
#elif FORM == 1
    INT d = 0;
    while (d < 64) {
      score += query[head * 64 + d] * keys[(head * n + k) * 64 + d];
      ++d;
    }
#else
    for (INT d = 0; d < 64; ++d) score += query[head * 64 + d] * keys[(head * n + k) * 64 + d];
#endif
    scores[k] = score * 0.125;
    most = max(most, scores[k]);
  }
  most = reduced(most, true);
  float sum = 0;
  for (INT k = lane; k < n; k += 64) {
    scores[k] = exp(scores[k] - most);
    sum += scores[k];
  }
  sum = reduced(sum, false);
  float value = 0;
  for (INT k = 0; k < n; ++k) value += scores[k] * values[(head * n + k) * 64 + lane];
  result[head * 64 + lane] = value / sum;
}
