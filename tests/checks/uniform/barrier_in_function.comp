#version 450
// A function with a barrier that is called by half of the subgroups. After Tint's tests of calls in
// its uniformity analysis.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require subgroup basic
//! subgroup 32 full
//! buffer results u32[128] binding 0
//! dispatch 1
//! finding uniform divergent-barrier times $(BUG)
//! expect results = i < 64 ? i + 1 : i
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint stage[128];

uint next(uint i, bool wanted) {
  if (wanted) stage[i] = i + 1;
  barrier();  // finding
  return wanted ? stage[i] : i;
}

void main() {
  uint i = gl_SubgroupID * 32 + gl_SubgroupInvocationID, result = i;
  bool wanted = i < 64;
#if BUG
  if (wanted) result = next(i, wanted);
#else
  result = next(i, wanted);
#endif
  results[i] = result;
}
