#version 450
// A layer of 3x3 filters: 16 channels of 64x64 from 16, without edges.
//! each SPELLING INT FORM X Y = for uint 0 16 16 | int int 0 16 16 | inline uint 1 16 16
//!+ | while uint 2 16 16 | 64x1 uint 0 64 1
//! buffer image f32[16 * 66 * 66] binding 0 = random(-1.0, 1.0, 1)
//! buffer weights f32[16 * 16 * 9] binding 1 = random(-0.5, 0.5, 2)
//! buffer result f32[16 * 64 * 64] binding 2
//! push u32 66, u32 64
//! dispatch 64/$(X) 64/$(Y) 16
//! peer within 1e-4 abs
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Image { float image[]; };
layout(binding = 1) readonly buffer Weights { float weights[]; };
layout(binding = 2) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint in_size, out_size; };

void main() {
  const INT from = INT(in_size), to = INT(out_size), channel = INT(gl_GlobalInvocationID.z);
  const INT x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  float sum = 0;
#if FORM == 1
  for (INT c = 0; c < 16; ++c)
    for (INT k = 0; k < 9; ++k)
      sum += weights[(channel * 16 + c) * 9 + k] * image[(c * from + y + k / 3) * from + x + k % 3];
#elif FORM == 2
  INT c = 0;
  while (c < 16) {
    for (INT j = 0; j < 3; ++j)
      for (INT i = 0; i < 3; ++i)
        sum += weights[(channel * 16 + c) * 9 + j * 3 + i] * image[(c * from + y + j) * from + x + i];
    c += 1;
  }
#else
  for (INT c = 0; c < 16; ++c)
    for (INT j = 0; j < 3; ++j)
      for (INT i = 0; i < 3; ++i) {
        const float weight = weights[((channel * 16 + c) * 3 + j) * 3 + i];
        sum += weight * image[(c * from + y + j) * from + x + i];
      }
#endif
  result[(channel * to + y) * to + x] = sum;
}
