#version 450
// One invocation stores a vector, another one of its components: the bytes overlap in part. After
// the test VectorVsScalar of Vulkan-ValidationLayers' gpu_av_shared_memory_data_race.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer results u32[128] binding 0
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : i % 4 == 3 ? i : 1000
layout(local_size_x = 128) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uvec4 vectors[32];

void main() {
  uint i = gl_LocalInvocationIndex;
  if (i % 4 == 0) vectors[i / 4] = uvec4(1000);  // finding
#if !BUG
  barrier();
#endif
  if (i % 4 == 3) vectors[i / 4].w = i;  // finding
  barrier();
  results[i] = vectors[i / 4][i % 4];
}
