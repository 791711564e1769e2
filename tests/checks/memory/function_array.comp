#version 450
// A sort of a few numbers in an array of the invocation that compares the last with one more.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer data s32[256] binding 0 = -1 - (i * 37 + i / 8) % 8
//! buffer results s32[32] binding 1
//! push u32 7 + $(BUG)
//! dispatch 1
//! finding memory variable-bounds times $(BUG) "load"
//! expect results = $(BUG) - 1
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };
layout(push_constant) uniform Push { uint pairs; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  int values[8];
  for (uint k = 0; k < 8; ++k) values[k] = data[8 * i + k];
  int greatest = values[0];
  for (uint k = 0; k < pairs; ++k) {
    int next = values[k + 1];  // finding
    greatest = max(greatest, next);
  }
  results[i] = greatest;
}
