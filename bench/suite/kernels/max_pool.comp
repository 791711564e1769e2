#version 450
// The greatest of each 2x2 elements.
//! each SPELLING INT FORM WIDTH X Y = max uint 0 1 16 16 | int int 0 1 16 16 | loop uint 1 1 16 16
//!+ | if uint 2 1 16 16 | 64x1 uint 0 1 64 1 | vec2 uint 3 2 16 16
//! buffer image f32[1024 * 1024] binding 0 = random(-1.0, 1.0, 1)
//! buffer result f32[512 * 512] binding 1
//! push u32 1024, u32 1024
//! dispatch 512/$(X) 512/$(Y)
//! peer
#if WIDTH == 2
#define TYPE vec2
#else
#define TYPE float
#endif
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Image { TYPE image[]; };
layout(binding = 1) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint width, height; };

void main() {
  const INT w = INT(width);
  const INT x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
#if FORM == 3
  const vec2 most = max(image[y * w + x], image[y * w + w / 2 + x]);
  const float greatest = max(most.x, most.y);
#elif FORM == 1
  float greatest = image[2 * y * w + 2 * x];
  for (INT j = 0; j < 2; ++j)
    for (INT i = 0; i < 2; ++i) greatest = max(greatest, image[(2 * y + j) * w + 2 * x + i]);
#elif FORM == 2
  const INT from = 2 * y * w + 2 * x;
  float greatest = image[from];
  if (image[from + 1] > greatest) greatest = image[from + 1];
  if (image[from + w] > greatest) greatest = image[from + w];
  if (image[from + w + 1] > greatest) greatest = image[from + w + 1];
#else
  const INT from = 2 * y * w + 2 * x;
  const float greatest =
      max(max(image[from], image[from + 1]), max(image[from + w], image[from + w + 1]));
#endif
  result[y * (w / 2) + x] = greatest;
}
