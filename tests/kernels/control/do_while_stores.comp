#version 450
// A loop whose invocations store where they go on, before it asks whether any of them does: those at the end of a row do
// not, whatever the others do.
//! each OPT = off | on
//! each LENGTH = 96 | 100 | 127
//! optimize $(OPT)
//! buffer row f32[160] binding 0 = i % 13
//! buffer results f32[160] binding 1 = -1
//! push u32 $(LENGTH)
//! dispatch 1
//! expect results = i >= 32 && i < $(LENGTH) ? row[i - 32] : -1
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Row { float row[]; };
layout(binding = 1) buffer Results { float results[]; };
layout(push_constant) uniform Push { uint length; };

void main() {
  uint i = 0;
  const uint lane = gl_LocalInvocationID.x;
  bool more;
  do {
    const float x = row[i + lane];
    i += 32;
    more = i + lane < length;
    if (more) results[i + lane] = x;
  } while (more);
}
