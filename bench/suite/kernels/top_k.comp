#version 450
// The 16 greatest of each 256 numbers in falling order: an element's place is the number of those
// before it.
//! each SPELLING INT FORM WIDTH = shared uint 0 1 | int int 0 1 | select uint 1 1 | while uint 2 1
//!+ | vec4 uint 3 4
//! buffer data f32[1 << 14] binding 0 = random(-1.0, 1.0, 1)
//! buffer greatest f32[64 * 16] binding 1
//! dispatch 64
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Greatest { float greatest[]; };
#if WIDTH == 4
shared vec4 values[64];
#else
shared float values[256];
#endif

void main() {
  const INT lane = INT(gl_LocalInvocationIndex);
  const float value = data[gl_GlobalInvocationID.x];
#if WIDTH == 4
  values[lane / 4][lane % 4] = value;
#else
  values[lane] = value;
#endif
  barrier();
  uint place = 0;
#if FORM == 0
  for (INT i = 0; i < 256; ++i)
    if (values[i] > value || (values[i] == value && i < lane)) ++place;
#elif FORM == 1
  for (INT i = 0; i < 256; ++i) {
    const float other = values[i];
    place += other > value ? 1 : other == value && i < lane ? 1 : 0;
  }
#elif FORM == 2
  INT i = 0;
  do {
    const float other = values[i];
    place += uint(other > value) + uint(other == value && i < lane);
    ++i;
  } while (i < 256);
#else
  for (INT i = 0; i < 64; ++i) {
    const vec4 others = values[i];
    for (INT c = 0; c < 4; ++c)
      place += uint(others[c] > value) + uint(others[c] == value && i * 4 + c < lane);
  }
#endif
  if (place < 16) greatest[gl_WorkGroupID.x * 16 + place] = value;
}
