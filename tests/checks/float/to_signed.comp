#version 450
// Floats become 32-bit integers: 2147483648 is the first that is too large, and -2147483648 still fits. After
// the float-cast-overflow tests of UndefinedBehaviorSanitizer.
//! debug
//! each BUG LARGE = 1 2147483648 | 0 2147483520
//! setting check float
//! buffer data f32[4] binding 0 = { $(LARGE), -2147483648, -0.5, 1.75 }
//! buffer results s32[4] binding 1 scratch
//! dispatch 1
//! finding float conversion times $(BUG)
//! check ($(BUG) || @results[0] == 2147483520) && @results[1] == -2147483648 && @results[2] == 0 && @results[3] == 1
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  results[i] = int(data[i]);  // finding
}
