#version 450
// Split barriers: what is written before the arrival is seen after the wait, and work stands
// between. In a loop, and in branches that the whole workgroup takes.
//! require shaderSplitBarrier
//! buffer data u32[256] binding 0 = random(0, 1000, 1)
//! buffer results u32[256] binding 1
//! dispatch 2
//! expect results = sum(k, 0, 128, data[i / 128 * 128 + k]) + 16 * (i % 128)
#extension GL_EXT_split_barrier : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[2][128];

void main() {
  uint i = gl_LocalInvocationID.x;
  uint value = data[gl_GlobalInvocationID.x], between = 0;
  uint round = 0;
  for (uint distance = 1; distance < 128; distance *= 2, ++round) {
    stage[round % 2][i] = value;
    controlBarrierArrive(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                         gl_SemanticsRelease);
    between += 2 * i;
    controlBarrierWait(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                       gl_SemanticsAcquire);
    value += stage[round % 2][i ^ distance];
  }
  if (gl_WorkGroupID.x < 100) {
    controlBarrierArrive();
    between += 2 * i;
    controlBarrierWait();
  }
  results[gl_GlobalInvocationID.x] = value + between;
}
