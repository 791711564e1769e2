#version 450
// A shared variable with a null initializer is zero before the first instruction.
//! require shaderZeroInitializeWorkgroupMemory
//! buffer results u32[128] binding 0
//! dispatch 2
//! expect results = i % 64 == 3 ? 77 : 0
#extension GL_EXT_null_initializer : require
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint stage[64] = {};

void main() {
  uint i = gl_LocalInvocationID.x;
  if (i == 60) stage[3] = 77;
  barrier();
  results[gl_GlobalInvocationID.x] = stage[i];
}
