#version 450
// Invocations past the end return before the barrier of the others. The driver lets the others go
// on, but Vulkan does not promise it.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer data u32[50] binding 0 = random(0, 100, 1)
//! buffer results u32[50] binding 1
//! push u32 50
//! dispatch 1
//! finding uniform divergent-barrier times $(BUG)
//! expect results = data[i ^ 1]
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint count; };
shared uint stage[64];

void main() {
  uint i = gl_LocalInvocationIndex;
#if BUG
  if (i >= count) return;
  stage[i] = data[i];
  barrier();  // finding
  results[i] = stage[i ^ 1];
#else
  if (i < count) stage[i] = data[i];
  barrier();
  if (i < count) results[i] = stage[i ^ 1];
#endif
}
