#version 450
// Invocations count in an element of shared memory that a matrix is stored to. After the test
// AtomicVsCoopMatStore of Vulkan-ValidationLayers' gpu_av_shared_memory_data_race.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! require cooperativeMatrix
//! require matrix_type 16 16 Accumulator s32
//! subgroup 32 full
//! buffer results s32[256] binding 0
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = i != 20 ? 3 : $(BUG) ? @results[i] : 35
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { int results[]; };
shared int stage[256];
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<int, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m =
      coopmat<int, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(3);
  coopMatStore(m, stage, 0, 16, row);  // finding
#if !BUG
  barrier();
#endif
  atomicAdd(stage[20], 1);  // finding
  barrier();
  for (uint k = gl_LocalInvocationIndex; k < 256; k += 32) results[k] = stage[k];
}
