#version 450
// One step of a bitonic sort, an invocation for each element.
//! each SPELLING INT FORM = if uint 0 | int int 0 | return uint 1 | select uint 2 | 16x16 uint 3
//! buffer data f32[1 << 19] binding 0 = random(-1.0, 1.0, 1)
//! push u32 64, u32 1024
//! dispatch 2048
//! peer
#if FORM == 3
layout(local_size_x = 16, local_size_y = 16) in;
#else
layout(local_size_x = 256) in;
#endif
layout(binding = 0) buffer Data { float data[]; };
layout(push_constant) uniform Push { uint distance, block; };

void main() {
#if FORM == 3
  const INT i = INT(gl_WorkGroupID.x * 256 + gl_LocalInvocationIndex);
#else
  const INT i = INT(gl_GlobalInvocationID.x);
#endif
  const INT j = i ^ INT(distance);
#if FORM == 1
  if (j < i) return;
  const float a = data[i], b = data[j];
  const bool up = (i & INT(block)) == 0;
  if (up ? a <= b : a >= b) return;
  data[i] = b;
  data[j] = a;
#elif FORM == 2
  if (j > i) {
    const float a = data[i], b = data[j];
    const bool up = (i & INT(block)) == 0;
    data[i] = up ? min(a, b) : max(a, b);
    data[j] = up ? max(a, b) : min(a, b);
  }
#else
  if (j > i) {
    const float a = data[i], b = data[j];
    if ((i & INT(block)) == 0 ? a > b : a < b) {
      data[i] = b;
      data[j] = a;
    }
  }
#endif
}
