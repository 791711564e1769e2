#version 450
// Two subgroups have a matrix each in the same rows of shared memory: one loads it, the other
// stores its own next to it. A few columns too far to the left they overlap. After the test
// CoopMatLoadCoopMatStoreOverlap of Vulkan-ValidationLayers' gpu_av_shared_memory_data_race.
//! debug
//! each BUG COLUMN = 1 12 | 0 16
//! setting check race
//! require cooperativeMatrix
//! require subgroup basic
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer data f32[512] binding 0 = random(-9, 9, 1)
//! buffer results f32[512] binding 1
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results[0..256] = $(BUG) ? @results[i] : data[i / 16 * 32 + i % 16]
//! expect results[256..512] = 7
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
shared float stage[512];
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  for (uint k = gl_LocalInvocationIndex; k < 512; k += 64) stage[k] = data[k];
  barrier();
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  if (gl_SubgroupID == 0) {
    coopMatLoad(m, stage, 0, 32, row);  // finding
    coopMatStore(m, results, 0, 16, row);
  } else {
    m = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(7.0);
    coopMatStore(m, stage, COLUMN, 32, row);  // finding
  }
  barrier();
  for (uint k = gl_LocalInvocationIndex; k < 256; k += 64)
    results[256 + k] = stage[k / 16 * 32 + COLUMN + k % 16];
}
