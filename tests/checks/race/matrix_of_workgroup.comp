#version 450
// A matrix of Workgroup scope is stored to shared memory and read without a barrier. After the test
// CoopMatStoreLoadWorkgroup of Vulkan-ValidationLayers' gpu_av_shared_memory_data_race.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! require cooperativeMatrix cooperativeMatrixWorkgroupScope
//! require matrix_type 16 16 Accumulator f32 invocations 128
//! subgroup 32 full
//! buffer data f32[256] binding 0 = random(-9, 9, 1)
//! buffer results f32[256] binding 1
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[i] + 1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
shared float stage[256];
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, 16, row);
  coopMatStore(m, stage, 0, 16, row);  // finding
#if !BUG
  barrier();
#endif
  for (uint k = gl_LocalInvocationIndex; k < 256; k += 128) {
    results[k] = stage[k] + 1;  // finding
  }
}
