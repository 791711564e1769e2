#version 450
// Negative floats become unsigned; -0.75 is allowed, for it becomes 0. After the float-cast-overflow tests of
// UndefinedBehaviorSanitizer.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer data f32[4] binding 0 = { 4294967040, -0.75, -1, 3 }
//! buffer results u32[4] binding 1 scratch
//! dispatch 1
//! finding float conversion times $(BUG)
//! check @results[0] == 4294967040 && @results[1] == 0 && ($(BUG) || @results[2] == 0) && @results[3] == 3
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
#if BUG
  results[i] = uint(data[i]);  // finding
#else
  results[i] = uint(max(data[i], 0.0));
#endif
}
