#version 450
// A product of matrices through 16x16 tiles in shared memory.
//! each SPELLING INT FORM PADDING = named uint 0 0 | int int 0 0 | inline uint 1 0 | while uint 2 0
//!+ | flat uint 3 0 | padded uint 0 1
//! buffer a f32[256 * 256] binding 0 = random(-1.0, 1.0, 1)
//! buffer b f32[256 * 256] binding 1 = random(-1.0, 1.0, 2)
//! buffer c f32[256 * 256] binding 2
//! push u32 256
//! dispatch 16 16
//! peer within 1e-4 abs
#if FORM == 3
layout(local_size_x = 256) in;
#else
layout(local_size_x = 16, local_size_y = 16) in;
#endif
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Push { uint size; };
shared float a_tile[16][16 + PADDING], b_tile[16][16 + PADDING];

void main() {
  const INT n = INT(size);
#if FORM == 3
  const INT x = INT(gl_LocalInvocationIndex) % 16, y = INT(gl_LocalInvocationIndex) / 16;
#else
  const INT x = INT(gl_LocalInvocationID.x), y = INT(gl_LocalInvocationID.y);
#endif
  const INT row = INT(gl_WorkGroupID.y) * 16 + y, column = INT(gl_WorkGroupID.x) * 16 + x;
  float sum = 0;
#if FORM == 1
  for (INT tile = 0; tile < n / 16; ++tile) {
    a_tile[y][x] = a[row * n + tile * 16 + x];
    b_tile[y][x] = b[(tile * 16 + y) * n + column];
    barrier();
    for (INT k = 0; k < 16; ++k) sum += a_tile[y][k] * b_tile[k][x];
    barrier();
  }
#elif FORM == 2
  INT depth = 0;
  while (depth < n) {
    a_tile[y][x] = a[row * n + depth + x];
    b_tile[y][x] = b[(depth + y) * n + column];
    barrier();
    INT k = 0;
    do {
      sum += a_tile[y][k] * b_tile[k][x];
    } while (++k < 16);
    barrier();
    depth += 16;
  }
#else
  for (INT depth = 0; depth < n; depth += 16) {
    const INT a_column = depth + x, b_row = depth + y;
    a_tile[y][x] = a[row * n + a_column];
    b_tile[y][x] = b[b_row * n + column];
    barrier();
    for (INT k = 0; k < 16; ++k) {
      const float p = a_tile[y][k], q = b_tile[k][x];
      sum += p * q;
    }
    barrier();
  }
#endif
  c[row * n + column] = sum;
}
