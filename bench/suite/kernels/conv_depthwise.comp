#version 450
// A 3x3 filter for each of 32 channels that lie side by side (NHWC), 96x96, without edges.
//! each SPELLING INT FORM WIDTH X Y = for uint 0 1 32 4 | int int 0 1 32 4 | flat uint 1 1 32 4
//!+ | vec4 uint 2 4 8 8
//! buffer image f32[98 * 98 * 32] binding 0 = random(-1.0, 1.0, 1)
//! buffer weights f32[9 * 32] binding 1 = random(-1.0, 1.0, 2)
//! buffer result f32[96 * 96 * 32] binding 2
//! push u32 98, u32 96
//! dispatch 1 96/$(Y) 96
//! peer within 1e-5 abs
#if WIDTH == 4
#define TYPE vec4
#else
#define TYPE float
#endif
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Image { TYPE image[]; };
layout(binding = 1) readonly buffer Weights { TYPE weights[]; };
layout(binding = 2) writeonly buffer Result { TYPE result[]; };
layout(push_constant) uniform Push { uint in_size, out_size; };

void main() {
  const INT from = INT(in_size), to = INT(out_size), channels = 32 / WIDTH;
  const INT channel = INT(gl_GlobalInvocationID.x), x = INT(gl_GlobalInvocationID.y);
  const INT y = INT(gl_GlobalInvocationID.z);
  TYPE sum = TYPE(0);
#if FORM == 1
  for (INT k = 0; k < 9; ++k)
    sum += weights[k * channels + channel] *
           image[((y + k / 3) * from + x + k % 3) * channels + channel];
#else
  for (INT j = 0; j < 3; ++j)
    for (INT i = 0; i < 3; ++i)
      sum += weights[(j * 3 + i) * channels + channel] *
             image[((y + j) * from + x + i) * channels + channel];
#endif
  result[(y * to + x) * channels + channel] = sum;
}
