#version 450
// Null initialisers of structures, arrays and several variables, one of them without: in several
// workgroups, one after the other in the same memory, which each leaves full of other values.
//! each SIZE = 1 | 32 | 200
//! require shaderZeroInitializeWorkgroupMemory
//! buffer results u32[12] binding 0 = 0
//! dispatch 6
//! expect results[0..6] = 0
//! expect results[6..12] = $(SIZE) * 77
#extension GL_EXT_null_initializer : require
layout(local_size_x = SIZE) in;
layout(binding = 0) buffer Results { uint results[]; };
struct Part {
  float number;
  uvec3 words[5];
  bool flags[3];
};
shared Part parts[7] = {};
shared uint filled[200];
shared mat4 matrix = {};
shared bool flag = {};
shared uint sum = {};

void main() {
  uint i = gl_LocalInvocationID.x;
  uint found = 0;
  for (uint k = i; k < 7; k += SIZE) {
    found |= floatBitsToUint(parts[k].number);
    for (uint m = 0; m < 5; ++m)
      found |= parts[k].words[m].x | parts[k].words[m].y | parts[k].words[m].z;
    for (uint m = 0; m < 3; ++m) found |= parts[k].flags[m] ? 1 : 0;
  }
  for (uint k = 0; k < 4; ++k) found |= floatBitsToUint(matrix[k][i % 4]);
  found |= flag ? 1 : 0;
  if (found != 0) atomicOr(results[gl_WorkGroupID.x], found);
  filled[i] = 77;
  barrier();
  atomicAdd(sum, filled[SIZE - 1 - i]);
  barrier();
  if (i == 0) results[6 + gl_WorkGroupID.x] = sum;
  for (uint k = i; k < 7; k += SIZE) {
    parts[k].number = 3;
    for (uint m = 0; m < 5; ++m) parts[k].words[m] = uvec3(0xffffffffu);
    for (uint m = 0; m < 3; ++m) parts[k].flags[m] = true;
  }
  matrix[i % 4] = vec4(9);
  flag = true;
}
