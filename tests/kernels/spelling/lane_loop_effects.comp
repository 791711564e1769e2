#version 450
#extension GL_KHR_shader_subgroup_basic : require
// What a loop does in memory before it asks whether to go on is done once a turn, by each invocation.
//! each FORM = add | atomic
//! each COUNT = 0 | 20 | 100
//! buffer turns u32[64] binding 0 = 0
//! push u32 $(COUNT)
//! subgroup 32
//! dispatch 1
//! expect turns = ($(COUNT) + 31 - i % 32) / 32 + 1
layout(local_size_x = 64) in;
layout(binding = 0) buffer Turns { uint turns[]; };
layout(push_constant) uniform Push { uint count; };
#define add_ 1
#define atomic_ 2
void main() {
  for (uint k = gl_SubgroupInvocationID;; k += 32) {
#if $(FORM)_ == add_
    turns[gl_LocalInvocationIndex] += 1;
#else
    atomicAdd(turns[gl_LocalInvocationIndex], 1);
#endif
    if (k >= count) break;
  }
}
