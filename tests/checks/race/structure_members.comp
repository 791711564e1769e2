#version 450
// Two invocations store the members of a structure in opposite order: two races, one for each
// member. After the test BasicStruct of Vulkan-ValidationLayers' gpu_av_shared_memory_data_race.
//! debug
//! each BUG RACES = 1 2 | 0 0
//! setting check race
//! buffer results u32[2] binding 0
//! dispatch 1
//! finding race workgroup-memory times $(RACES)
//! expect results = $(BUG) ? @results[i] : 4 - i
layout(local_size_x = 2) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
struct Pair { uint a, b; };
shared Pair pair;

void main() {
  bool is_first = gl_LocalInvocationIndex == 0;
  if (is_first) {
    pair.a = 1;  // finding
  } else {
    pair.b = 2;  // finding
  }
#if !BUG
  barrier();
#endif
  if (is_first) {
    pair.b = 3;  // finding
  } else {
    pair.a = 4;  // finding
  }
  barrier();
  results[gl_LocalInvocationIndex] = is_first ? pair.a : pair.b;
}
