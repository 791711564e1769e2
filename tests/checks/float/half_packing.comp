#version 450
// Two floats are packed as halves, one of them too large.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer data f32[2] binding 0 = { 3, 100000 }
//! buffer results f16[2] binding 1 scratch
//! dispatch 1
//! finding float infinity times $(BUG)
//! check @results[0] == 3 && ($(BUG) || @results[1] == 60000)
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Data { vec2 data; };
layout(binding = 1) writeonly buffer Results { uint result; };
void main() {
#if BUG
  result = packHalf2x16(data);  // finding
#else
  result = packHalf2x16(min(data, 60000.0));
#endif
}
