#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Bytes of red, green and blue side by side to three planes of luma and chroma.
//! require shaderInt8 storageBuffer8BitAccess
//! each SPELLING INT FORM GROUPS = named uint 0 1024 | int int 0 1024 | inline uint 1 1024
//!+ | dot uint 2 1024 | stride uint 3 128
//! buffer rgb u8[3 << 18] binding 0 = random(0, 255, 1)
//! buffer yuv u8[3 << 18] binding 1
//! push u32 1 << 18
//! dispatch $(GROUPS)
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Rgb { uint8_t rgb[]; };
layout(binding = 1) writeonly buffer Yuv { uint8_t yuv[]; };
layout(push_constant) uniform Push { uint pixels; };

void convert(INT i, INT n) {
#if FORM == 1
  yuv[i] = uint8_t((66 * int(rgb[3 * i]) + 129 * int(rgb[3 * i + 1]) + 25 * int(rgb[3 * i + 2]) + 128 >> 8) + 16);
  yuv[n + i] = uint8_t((-38 * int(rgb[3 * i]) - 74 * int(rgb[3 * i + 1]) + 112 * int(rgb[3 * i + 2]) + 128 >> 8) + 128);
  yuv[2 * n + i] = uint8_t((112 * int(rgb[3 * i]) - 94 * int(rgb[3 * i + 1]) - 18 * int(rgb[3 * i + 2]) + 128 >> 8) + 128);
#else
  const INT from = i * 3;
  const int r = int(rgb[from]), g = int(rgb[from + 1]), b = int(rgb[from + 2]);
#if FORM == 2
  const ivec3 weights[3] = {ivec3(66, 129, 25), ivec3(-38, -74, 112), ivec3(112, -94, -18)};
  const ivec3 offset = ivec3(16, 128, 128);
  for (int c = 0; c < 3; ++c) {
    const ivec3 products = weights[c] * ivec3(r, g, b);
    yuv[INT(c) * n + i] = uint8_t((products.x + products.y + products.z + 128 >> 8) + offset[c]);
  }
#else
  const int y = 66 * r + 129 * g + 25 * b;
  const int u = -38 * r - 74 * g + 112 * b;
  const int v = 112 * r - 94 * g - 18 * b;
  yuv[i] = uint8_t((y + 128 >> 8) + 16);
  yuv[n + i] = uint8_t((u + 128 >> 8) + 128);
  yuv[2 * n + i] = uint8_t((v + 128 >> 8) + 128);
#endif
#endif
}

void main() {
  const INT n = INT(pixels);
#if FORM == 3
  for (INT i = INT(gl_GlobalInvocationID.x); i < n; i += INT(gl_NumWorkGroups.x * 256)) convert(i, n);
#else
  const INT i = INT(gl_GlobalInvocationID.x);
  if (i < n) convert(i, n);
#endif
}
