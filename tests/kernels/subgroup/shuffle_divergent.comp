#version 450
// Shuffles among the invocations that a branch leaves live, of booleans and vectors. Partners are
// live; numbers of others give something undefined, which must do no harm.
//! each SIZE = 8 | 16 | 32 | 64
//! require subgroup shuffle
//! require subgroup shuffle_relative
//! buffer data u32[100] binding 0 = random(0, 1, 1)
//! buffer results u32[200] binding 1 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..96] = n % 4 < 2 ? data[n ^ 1] + 2 * data[n ^ 1] + 4 * (n ^ 1) : 0
//! expect results[100..196] = n % 4 < 2 ? 1 : 0
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID;
  if (i % 4 < 2) {
    bool moved = subgroupShuffle(data[i] != 0, lane ^ 1);
    uvec2 both = subgroupShuffleXor(uvec2(data[i], i), 1);
    results[i] = uint(moved) + 2 * both.x + 4 * both.y;
    // From invocations that are not live, or do not exist.
    uint wild = subgroupShuffle(i, lane + 2) + subgroupShuffle(i, 1000 * lane + 77) +
                subgroupShuffleUp(i, 2) + subgroupShuffleXor(i, 66);
    if ((wild & 1) == 1) results[100 + i] = 1; else results[100 + i] = 1;
  }
}
