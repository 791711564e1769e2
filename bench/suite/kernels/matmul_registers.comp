#version 450
// A product of matrices, 4x4 elements an invocation, tiles of 64x16 and 16x64 in shared memory.
//! each SPELLING INT FORM WIDTH PADDING = named uint 0 1 0 | int int 0 1 0 | inline uint 1 1 0
//!+ | while uint 2 1 0 | padded uint 0 1 4 | vec4 uint 3 4 0
//! buffer a f32[256 * 256] binding 0 = random(-1.0, 1.0, 1)
//! buffer b f32[256 * 256] binding 1 = random(-1.0, 1.0, 2)
//! buffer c f32[256 * 256] binding 2
//! push u32 256
//! dispatch 4 4
//! peer within 1e-4 abs
layout(local_size_x = 16, local_size_y = 16) in;
#if WIDTH == 4
#define TYPE vec4
#else
#define TYPE float
#endif
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { TYPE b[]; };
layout(binding = 2) writeonly buffer C { TYPE c[]; };
layout(push_constant) uniform Push { uint size; };
shared float a_tile[64][16 + PADDING];
shared TYPE b_tile[16][(64 + PADDING) / WIDTH];

void main() {
  const INT n = INT(size), lane = INT(gl_LocalInvocationIndex);
  const INT x = INT(gl_LocalInvocationID.x), y = INT(gl_LocalInvocationID.y);
  const INT row = INT(gl_WorkGroupID.y) * 64, column = INT(gl_WorkGroupID.x) * 64;
#if FORM == 3
  vec4 sums[4] = {vec4(0), vec4(0), vec4(0), vec4(0)};
#else
  float sums[4][4];
  for (INT i = 0; i < 4; ++i)
    for (INT j = 0; j < 4; ++j) sums[i][j] = 0;
#endif
#if FORM == 2
  INT depth = 0;
  while (depth < n) {
#else
  for (INT depth = 0; depth < n; depth += 16) {
#endif
#if FORM == 1
    for (INT e = lane; e < 64 * 16; e += 256)
      a_tile[e / 16][e % 16] = a[(row + e / 16) * n + depth + e % 16];
    for (INT e = lane; e < 64 * 16; e += 256)
      b_tile[e / 64][e % 64] = b[(depth + e / 64) * n + column + e % 64];
#elif FORM == 3
    for (INT e = lane; e < 64 * 16; e += 256)
      a_tile[e / 16][e % 16] = a[(row + e / 16) * n + depth + e % 16];
    b_tile[lane / 16][lane % 16] = b[((depth + lane / 16) * n + column) / 4 + lane % 16];
#else
    for (INT e = lane; e < 64 * 16; e += 256) {
      const INT i = e / 16, k = e % 16;
      a_tile[i][k] = a[(row + i) * n + depth + k];
      const INT l = e / 64, j = e % 64;
      b_tile[l][j] = b[(depth + l) * n + column + j];
    }
#endif
    barrier();
    for (INT k = 0; k < 16; ++k) {
#if FORM == 3
      const vec4 q = b_tile[k][x];
      for (INT i = 0; i < 4; ++i) sums[i] += a_tile[y * 4 + i][k] * q;
#elif FORM == 1
      for (INT i = 0; i < 4; ++i)
        for (INT j = 0; j < 4; ++j) sums[i][j] += a_tile[y * 4 + i][k] * b_tile[k][x + j * 16];
#else
      float p[4], q[4];
      for (INT i = 0; i < 4; ++i) p[i] = a_tile[y * 4 + i][k];
      for (INT j = 0; j < 4; ++j) q[j] = b_tile[k][x + j * 16];
      for (INT i = 0; i < 4; ++i)
        for (INT j = 0; j < 4; ++j) sums[i][j] += p[i] * q[j];
#endif
    }
    barrier();
#if FORM == 2
    depth += 16;
#endif
  }
#if FORM == 3
  for (INT i = 0; i < 4; ++i) c[((row + y * 4 + i) * n + column) / 4 + x] = sums[i];
#else
  for (INT i = 0; i < 4; ++i)
    for (INT j = 0; j < 4; ++j) c[(row + y * 4 + i) * n + column + x + j * 16] = sums[i][j];
#endif
}
