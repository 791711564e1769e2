#version 450
// A NaN is born though nothing comes of it: its store stands in a branch that is not taken.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer data f32[64] binding 0 = i
//! buffer results f32[64] binding 1 scratch = 3
//! push u32 0
//! dispatch 1
//! finding float nan times $(BUG)
//! check all_bits(k, 0, 64, @results[k] == 3 ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { uint wanted; };
void main() {
  uint i = gl_LocalInvocationID.x;
#if BUG
  float root = sqrt(data[i] - 1.0);  // finding
#else
  float root = sqrt(data[i] + 1.0);
#endif
  if (wanted != 0) results[i] = root;
}
