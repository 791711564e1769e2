#version 450
// A histogram in Workgroup memory that lacks the last class.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer values f32[64] binding 0 = i / 64.0
//! fill values[63] = 1.0
//! buffer results u32[16] binding 1
//! dispatch 1
//! finding memory variable-bounds times $(BUG) "atomic"
//! expect results = 4 - $(BUG) * (i == 15)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { float values[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint classes[16];

void main() {
  uint i = gl_LocalInvocationIndex;
  if (i < 16) classes[i] = 0;
  barrier();
  uint c = uint(values[i] * 16.0);
#if !BUG
  c = min(c, 15);
#endif
  atomicAdd(classes[c], 1);  // finding
  barrier();
  if (i < 16) results[i] = classes[i];
}
