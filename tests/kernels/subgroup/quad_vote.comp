#version 450
// subgroupQuadAll and QuadAny, over all invocations and over those that a branch leaves live.
//! each SIZE = 8 | 16 | 32 | 64
//! require shaderQuadControl
//! buffer data u32[100] binding 0 = random(0, 2, 1) != 0
//! buffer live u32[100] binding 1 = random(0, 2, 2) != 0
//! buffer results u32[200] binding 2 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..100] = (count(k, n/4*4, n/4*4+4, !data[k]) == 0)
//!+  + 2 * (count(k, n/4*4, n/4*4+4, data[k]) != 0)
//! expect results[100..200] = live[n] == 0 ? 0 :
//!+  (count(k, n/4*4, n/4*4+4, live[k] && !data[k]) == 0)
//!+  + 2 * (count(k, n/4*4, n/4*4+4, live[k] && data[k]) != 0)
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_EXT_shader_quad_control : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) readonly buffer Live { uint live[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  bool x = data[i] != 0;
  results[i] = uint(subgroupQuadAll(x)) | uint(subgroupQuadAny(x)) << 1;
  if (live[i] != 0) results[100 + i] = uint(subgroupQuadAll(x)) | uint(subgroupQuadAny(x)) << 1;
}
