#version 450
// Rows of a table by their numbers: an embedding.
//! each SPELLING INT FORM WIDTH GROUPS = row uint 0 1 4096 | int int 0 1 4096
//!+ | element uint 1 1 4096 | loop uint 2 1 4096 | vec4 uint 0 4 4096
//! buffer ids u32[4096] binding 0 = random(0, 8191, 1)
//! buffer table f32[8192 * 128] binding 1 = random(-1.0, 1.0, 2)
//! buffer rows f32[4096 * 128] binding 2
//! push u32 128
//! dispatch $(GROUPS)
//! peer
#if WIDTH == 4
#define TYPE vec4
layout(local_size_x = 32) in;
#else
#define TYPE float
#if FORM == 2
layout(local_size_x = 32) in;
#else
layout(local_size_x = 128) in;
#endif
#endif
layout(binding = 0) readonly buffer Ids { uint ids[]; };
layout(binding = 1) readonly buffer Table { TYPE table[]; };
layout(binding = 2) writeonly buffer Rows { TYPE rows[]; };
layout(push_constant) uniform Push { uint row_size; };

void main() {
  const INT size = INT(row_size) / WIDTH;
#if FORM == 0
  const INT row = INT(gl_WorkGroupID.x), column = INT(gl_LocalInvocationID.x);
  rows[row * size + column] = table[INT(ids[row]) * size + column];
#elif FORM == 1
  const INT i = INT(gl_GlobalInvocationID.x);
  rows[i] = table[INT(ids[i / size]) * size + i % size];
#else
  const INT row = INT(gl_WorkGroupID.x);
  for (INT column = INT(gl_LocalInvocationID.x); column < size; column += 32)
    rows[row * size + column] = table[INT(ids[row]) * size + column];
#endif
}
