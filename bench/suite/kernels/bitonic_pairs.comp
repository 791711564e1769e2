#version 450
// One step of a bitonic sort, an invocation for each pair.
//! each SPELLING INT FORM = divide uint 0 | int int 0 | minmax uint 1 | shift uint 2 | mask uint 3
//! buffer data f32[1 << 19] binding 0 = random(-1.0, 1.0, 1)
//! push u32 6, u32 1024
//! dispatch 1024
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) buffer Data { float data[]; };
layout(push_constant) uniform Push { uint log_distance, block; };

void main() {
  const INT t = INT(gl_GlobalInvocationID.x), d = INT(1) << log_distance;
#if FORM == 2
  const INT i = (t >> log_distance << log_distance + 1) + (t & d - 1);
#elif FORM == 3
  const INT i = 2 * t - (t & d - 1);
#else
  const INT i = t / d * 2 * d + t % d;
#endif
  const INT j = i + d;
  const float a = data[i], b = data[j];
  const bool up = (i & INT(block)) == 0;
#if FORM == 1
  data[i] = up ? min(a, b) : max(a, b);
  data[j] = up ? max(a, b) : min(a, b);
#else
  if ((a > b) == up) {
    data[i] = b;
    data[j] = a;
  }
#endif
}
