#version 450
// Steps of the Collatz iteration until 1.
//! each SPELLING INT FORM = while uint 0 | int int 0 | for uint 1 | select uint 2 | 8x8 uint 3
//! buffer steps u32[1 << 14] binding 0
//! push u32 1 << 14
//! dispatch 256
//! peer
#if FORM == 3
layout(local_size_x = 8, local_size_y = 8) in;
#else
layout(local_size_x = 64) in;
#endif
layout(binding = 0) writeonly buffer Steps { uint steps[]; };
layout(push_constant) uniform Push { uint count; };

void main() {
#if FORM == 3
  const INT i = INT(gl_WorkGroupID.x * 64 + gl_LocalInvocationIndex);
#else
  const INT i = INT(gl_GlobalInvocationID.x);
#endif
  if (i >= INT(count)) return;
  uint value = uint(i) + 1;
  INT n = 0;
#if FORM == 1
  for (; value != 1; ++n) {
    if (value % 2 == 0)
      value /= 2;
    else
      value = value * 3 + 1;
  }
#elif FORM == 2
  while (value > 1) {
    value = (value & 1) == 0 ? value >> 1 : value * 3 + 1;
    n += 1;
  }
#else
  while (value != 1) {
    if ((value & 1) == 0)
      value >>= 1;
    else
      value = 3 * value + 1;
    ++n;
  }
#endif
  steps[i] = uint(n);
}
