#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Numbers that move evenly from invocation to invocation, and some that do not.
//! require shaderInt16 shaderInt64
//! buffer results u32[128] binding 0
//! debug
//! subgroup 32 full
//! dispatch 1
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) buffer Results { uint results[]; };

uint both(uvec2 from) {
  const uvec2 next = from * 2u + 1u;
  return next.x + next.y;  // in the function
}

void main() {
  const uvec2 at = gl_LocalInvocationID.xy;
  const int down = 7 - 3 * int(at.x);
  const int64_t far = int64_t(gl_LocalInvocationIndex) * -5000000000L;
  const int16_t near = int16_t(-2 * int(at.y));
  uint sum = both(at);
  for (uint k = gl_LocalInvocationIndex; k < 512; k += 128) {
    const uint twice = 2 * k;
    sum += twice;  // in the loop
  }
  if (at.x > 4) {
    const uint inside = at.x - 5u;
    const float half_of = float(at.y) * 0.5;
    sum += inside + uint(half_of);  // in the branch
  }
  const bool is_low = at.x == 5u ? at.y < 4u : at.y > 4u;
  // The same for all in the loop, which invocations leave one by one.
  uint round = 0, last;
  do {
    last = round * 10u;
    ++round;
  } while (round <= at.x);
  const uint kept = last;
  results[gl_LocalInvocationIndex] = sum + kept;  // the store
}
