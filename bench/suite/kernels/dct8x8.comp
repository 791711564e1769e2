#version 450
// Discrete cosine transforms of blocks of 8x8, first of rows, then of columns.
//! each SPELLING INT FORM PADDING = shared uint 0 0 | int int 0 0 | while uint 1 0 | flat uint 2 0 | padded uint 0 1
//! buffer image f32[512 * 512] binding 0 = random(-1.0, 1.0, 1)
//! buffer cosines f32[64] binding 1 = (0.353553390593 + 0.146446609407 * (i >= 8)) * cos((2 * (i % 8) + 1) * (i / 8) * 0.19634954084936207)
//! buffer result f32[512 * 512] binding 2
//! push u32 512
//! dispatch 64 64
//! peer within 1e-4 abs
#if FORM == 2
layout(local_size_x = 64) in;
#else
layout(local_size_x = 8, local_size_y = 8) in;
#endif
layout(binding = 0) readonly buffer Image { float image[]; };
layout(binding = 1) readonly buffer Cosines { float cosines[]; };
layout(binding = 2) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint width; };
shared float block[8][8 + PADDING], rows[8][8 + PADDING];

void main() {
  const INT w = INT(width);
#if FORM == 2
  const INT x = INT(gl_LocalInvocationIndex) & 7, y = INT(gl_LocalInvocationIndex) >> 3;
#else
  const INT x = INT(gl_LocalInvocationID.x), y = INT(gl_LocalInvocationID.y);
#endif
  const INT here = (INT(gl_WorkGroupID.y) * 8 + y) * w + INT(gl_WorkGroupID.x) * 8 + x;
  block[y][x] = image[here];
  barrier();
  float sum = 0;
#if FORM == 1
  INT k = 0;
  while (k < 8) {
    sum += block[y][k] * cosines[x * 8 + k];
    ++k;
  }
#else
  for (INT k = 0; k < 8; ++k) sum += block[y][k] * cosines[x * 8 + k];
#endif
  rows[y][x] = sum;
  barrier();
  sum = 0;
  for (INT k = 0; k < 8; ++k) sum += rows[k][x] * cosines[y * 8 + k];
  result[here] = sum;
}
