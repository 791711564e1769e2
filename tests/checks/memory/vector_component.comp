#version 450
// A component that the vector does not have, by an index that is no constant; the next vector of the
// buffer is there.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer data f32[16] binding 0 = i
//! buffer results f32[4] binding 1
//! push u32 3 + $(BUG)
//! dispatch 1
//! finding memory array-bounds times $(BUG) "load"
//! expect results[0] = $(BUG) ? @results[0] : 3
//! expect results[1..4] = 4 + i
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer Data { vec4 data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { uint component; };

void main() {
  uint i = gl_LocalInvocationIndex;
  if (i == 0) {
    float x = data[0][component];  // finding
    results[0] = x;
  } else {
    results[i] = data[1][i];
  }
}
