#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Magnitudes of Sobel's gradient of bytes, 0 at the edges.
//! require shaderInt8 storageBuffer8BitAccess
//! each SPELLING INT FORM X Y = if int 0 16 16 | uint uint 0 16 16 | return int 1 16 16 | array int 2 16 16
//!+ | 64x1 int 0 64 1
//! buffer image u8[512 * 512] binding 0 = random(0, 255, 1)
//! buffer result u8[512 * 512] binding 1
//! push u32 512, u32 512
//! dispatch 512/$(X) 512/$(Y)
//! peer
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Image { uint8_t image[]; };
layout(binding = 1) writeonly buffer Result { uint8_t result[]; };
layout(push_constant) uniform Push { uint width, height; };

int at(INT place) { return int(image[place]); }

void main() {
  const INT w = INT(width), h = INT(height);
  const INT x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  const INT here = y * w + x;
#if FORM == 1
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
    result[here] = uint8_t(0);
    return;
  }
  const int gx = at(here - w + 1) + 2 * at(here + 1) + at(here + w + 1) - at(here - w - 1) -
                 2 * at(here - 1) - at(here + w - 1);
  const int gy = at(here + w - 1) + 2 * at(here + w) + at(here + w + 1) - at(here - w - 1) -
                 2 * at(here - w) - at(here - w + 1);
  result[here] = uint8_t(min(abs(gx) + abs(gy), 255));
#elif FORM == 2
  int sum = 0;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    int p[3][3];
    for (INT j = 0; j < 3; ++j)
      for (INT i = 0; i < 3; ++i) p[j][i] = at(here - w - 1 + j * w + i);
    const int gx = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
    const int gy = p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2];
    sum = min(abs(gx) + abs(gy), 255);
  }
  result[here] = uint8_t(sum);
#else
  int sum = 0;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    const int gx = at(here - w + 1) + 2 * at(here + 1) + at(here + w + 1) - at(here - w - 1) -
                   2 * at(here - 1) - at(here + w - 1);
    const int gy = at(here + w - 1) + 2 * at(here + w) + at(here + w + 1) - at(here - w - 1) -
                   2 * at(here - w) - at(here - w + 1);
    sum = min(abs(gx) + abs(gy), 255);
  }
  result[here] = uint8_t(sum);
#endif
}
