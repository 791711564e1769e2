#version 450
// A sparse matrix in rows (CSR) times a vector, a row an invocation.
//! each SPELLING INT FORM = for uint 0 | int int 0 | while uint 1 | fma uint 2 | 8x8 uint 3
//! buffer starts u32[8193] binding 0 = i * 16 + i * 7 % 13
//! buffer columns u32[8192 * 17] binding 1 = random(0, 8191, 1)
//! buffer values f32[8192 * 17] binding 2 = random(-1.0, 1.0, 2)
//! buffer x f32[8192] binding 3 = random(-1.0, 1.0, 3)
//! buffer y f32[8192] binding 4
//! push u32 8192
//! dispatch 128
//! peer within 1e-5 abs
#if FORM == 3
layout(local_size_x = 8, local_size_y = 8) in;
#else
layout(local_size_x = 64) in;
#endif
layout(binding = 0) readonly buffer Starts { uint starts[]; };
layout(binding = 1) readonly buffer Columns { uint columns[]; };
layout(binding = 2) readonly buffer Values { float values[]; };
layout(binding = 3) readonly buffer X { float x[]; };
layout(binding = 4) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint rows; };

void main() {
#if FORM == 3
  const INT row = INT(gl_WorkGroupID.x * 64 + gl_LocalInvocationIndex);
#else
  const INT row = INT(gl_GlobalInvocationID.x);
#endif
  if (row >= INT(rows)) return;
  const INT end = INT(starts[row + 1]);
  float sum = 0;
#if FORM == 1
  INT k = INT(starts[row]);
  while (k < end) {
    sum += values[k] * x[columns[k]];
    ++k;
  }
#elif FORM == 2
  for (INT k = INT(starts[row]); k < end; ++k) sum = fma(values[k], x[columns[k]], sum);
#else
  for (INT k = INT(starts[row]); k < end; ++k) sum += values[k] * x[columns[k]];
#endif
  y[row] = sum;
}
