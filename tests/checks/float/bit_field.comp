#version 450
// A field is taken out whose last bit lies past the word.
//! debug
//! each BUG FIRST = 1 20 | 0 16
//! setting check float
//! buffer data u32[64] binding 0 = i * 67108864
//! buffer results u32[64] binding 1 scratch
//! push s32 $(FIRST)
//! dispatch 1
//! finding float shift times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == k * 1024 ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { int first; };
void main() {
  uint i = gl_LocalInvocationID.x;
  results[i] = bitfieldExtract(data[i], first, 16);  // finding
}
