#version 450
// A function with a load that is right in one call and past the end in the other.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer data u32[64] binding 0 = i * i
//! buffer results u32[64] binding 1
//! dispatch 1
//! finding memory buffer-bounds times $(BUG) "load" "called at called_twice.comp:"
//! expect results[0..63] = i * i + (i + 1) * (i + 1)
//! expect results[63] = 63 * 63 + ($(BUG) ? 0 : 63 * 63)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

uint value(uint at) {
  return data[at];  // finding
}

void main() {
  uint i = gl_GlobalInvocationID.x;
#if BUG
  uint next = i + 1;
#else
  uint next = min(i + 1, 63);
#endif
  uint left = value(i);
  uint right = value(next);
  results[i] = left + right;
}
