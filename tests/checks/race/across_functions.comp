#version 450
// The store is in one function, the load in another, and nothing is between the calls. After the
// test RaceAcrossFunctions of Vulkan-ValidationLayers' gpu_av_shared_memory_data_race.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer data u32[64] binding 0 = random(0, 100, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[i] + data[63 - i]
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[64];

void put(uint at, uint value) {
  stage[at] = value;  // finding
}

uint pair(uint at) {
  uint other = stage[63 - at];  // finding
  return data[at] + other;
}

void main() {
  uint i = gl_LocalInvocationIndex;
  put(i, data[i]);
#if !BUG
  barrier();
#endif
  results[i] = pair(i);
}
