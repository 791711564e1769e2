#version 450
// A switch on a push constant: the same way for all.
//! each CASE = 0 | 1 | 2 | 7
//! buffer results u32[64] binding 0
//! push u32 $(CASE)
//! dispatch 1
//! expect results = $(CASE) == 0 ? i : $(CASE) == 1 ? i * i : $(CASE) == 2 ? i + 20 : 99
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint selector; };
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  switch (selector) {
    case 0: results[i] = i; break;
    case 1: results[i] = i * i; break;
    case 2: results[i] = i + 20; break;
    default: results[i] = 99;
  }
}
