#version 450
// Morton codes of points, 10 bits of each coordinate interleaved.
//! each SPELLING INT FORM GROUPS = named uint 0 2048 | int int 0 2048 | inline uint 1 2048
//!+ | loop uint 2 2048 | 8x8 uint 3 8192
//! buffer xyz u32[1 << 19] binding 0 = random(0, 1073741823, 1)
//! buffer codes u32[1 << 19] binding 1
//! push u32 1 << 19
//! dispatch $(GROUPS)
//! peer
#if FORM == 3
layout(local_size_x = 8, local_size_y = 8) in;
#else
layout(local_size_x = 256) in;
#endif
layout(binding = 0) readonly buffer Points { uint xyz[]; };
layout(binding = 1) writeonly buffer Codes { uint codes[]; };
layout(push_constant) uniform Push { uint count; };

INT spread(INT v) {
  v = (v | v << 16) & 0x030000ff;
  v = (v | v << 8) & 0x0300f00f;
  v = (v | v << 4) & 0x030c30c3;
  return (v | v << 2) & 0x09249249;
}

void main() {
#if FORM == 3
  const INT i = INT(gl_WorkGroupID.x * 64 + gl_LocalInvocationIndex);
#else
  const INT i = INT(gl_GlobalInvocationID.x);
#endif
  if (i >= INT(count)) return;
#if FORM == 1
  codes[i] = uint(spread(INT(xyz[i] & 1023)) | spread(INT(xyz[i] >> 10 & 1023)) << 1 |
                  spread(INT(xyz[i] >> 20 & 1023)) << 2);
#elif FORM == 2
  const uint point = xyz[i];
  INT code = 0;
  for (int axis = 0; axis < 3; ++axis)
    code |= spread(INT(point >> 10 * axis & 1023)) << axis;
  codes[i] = uint(code);
#else
  const uint point = xyz[i];
  const INT x = INT(point & 1023), y = INT(point >> 10 & 1023), z = INT(point >> 20);
  codes[i] = uint(spread(x) | spread(y) << 1 | spread(z) << 2);
#endif
}
