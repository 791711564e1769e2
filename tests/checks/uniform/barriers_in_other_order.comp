#version 450
// Each subgroup comes to two barriers once, but one of them to the second one first.
//! debug
//! each BUG PLACES = 1 2 | 0 0
//! setting check uniform
//! require subgroup basic
//! subgroup 32 full
//! buffer results u32[128] binding 0
//! dispatch 1
//! finding uniform divergent-barrier times $(PLACES)
//! expect results = $(BUG) && i < 32 ? 12 : 21
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uint steps = 0, first = gl_SubgroupID == 0 ? BUG : 0;
  for (uint k = 0; k < 2; ++k) {
    if (k == first) {
      barrier();  // finding
      steps = 10 * steps + 2;
    } else {
      barrier();  // finding
      steps = 10 * steps + 1;
    }
  }
  results[gl_SubgroupID * 32 + gl_SubgroupInvocationID] = steps;
}
