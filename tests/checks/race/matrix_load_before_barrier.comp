#version 450
// A matrix is loaded from shared memory that the invocations have just filled, without a barrier.
// After the test StoreCoopMatLoad of Vulkan-ValidationLayers' gpu_av_shared_memory_data_race.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! require cooperativeMatrix
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer data f32[256] binding 0 = random(-9, 9, 1)
//! buffer results f32[256] binding 1
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
shared float stage[256];
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  for (uint k = gl_LocalInvocationIndex; k < 256; k += 32) {
    stage[k] = data[k];  // finding
  }
#if !BUG
  barrier();
#endif
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, stage, 0, 16, row);  // finding
  coopMatStore(m, results, 0, 16, row);
}
