#version 450
// Means of 9 elements in a row through shared memory, edges repeated.
//! each SPELLING INT FORM PADDING = for int 0 0 | if int 1 0 | while int 2 0 | named int 3 0 | padded int 0 24
//! buffer image f32[512 * 512] binding 0 = random(0.0, 1.0, 1)
//! buffer result f32[512 * 512] binding 1
//! push u32 512, u32 512
//! dispatch 2 512
//! peer within 1e-6 abs
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Image { float image[]; };
layout(binding = 1) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint width, height; };
shared float part[264 + PADDING];

void main() {
  const INT w = INT(width), lane = INT(gl_LocalInvocationID.x);
  const INT first = INT(gl_WorkGroupID.x) * 256, row = INT(gl_WorkGroupID.y) * w;
#if FORM == 1
  part[lane + 4] = image[row + first + lane];
  if (lane < 4) part[lane] = image[row + max(first + lane - 4, 0)];
  if (lane >= 252) part[lane + 8] = image[row + min(first + lane + 4, w - 1)];
#elif FORM == 2
  INT k = lane;
  while (k < 264) {
    part[k] = image[row + min(max(first + k - 4, 0), w - 1)];
    k += 256;
  }
#else
  for (INT k = lane; k < 264; k += 256) part[k] = image[row + clamp(first + k - 4, 0, w - 1)];
#endif
  barrier();
  float sum = 0;
#if FORM == 3
  const INT last = lane + 8;
  for (INT i = lane; i <= last; ++i) {
    const float value = part[i];
    sum += value;
  }
#else
  for (INT i = 0; i < 9; ++i) sum += part[lane + i];
#endif
  result[row + first + lane] = sum * (1.0 / 9.0);
}
