#version 450
// Points inside of a circle among 256 random ones for each invocation: xorshift.
//! each SPELLING INT FORM = if uint 0 | int int 0 | select uint 1 | while uint 2 | add uint 3
//! buffer hits u32[4096] binding 0
//! push u32 256
//! dispatch 64
//! peer
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Hits { uint hits[]; };
layout(push_constant) uniform Push { uint rounds; };

uint next(inout uint state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

void main() {
  const INT n = INT(rounds);
  uint state = gl_GlobalInvocationID.x * 2654435761u + 12345u;
  INT inside = 0;
#if FORM == 2
  INT r = 0;
  while (r < n) {
#else
  for (INT r = 0; r < n; ++r) {
#endif
    const float x = float(next(state) >> 8) * (1.0 / 16777216.0);
    const float y = float(next(state) >> 8) * (1.0 / 16777216.0);
    const float size = fma(x, x, y * y);
#if FORM == 1
    inside += size < 1.0 ? 1 : 0;
#elif FORM == 3
    inside += INT(size < 1.0);
#else
    if (size < 1.0) ++inside;
#endif
#if FORM == 2
    ++r;
#endif
  }
  hits[gl_GlobalInvocationID.x] = uint(inside);
}
