#version 450
// A step of heat conduction in a plane: the five-point stencil; the edge stays.
//! each SPELLING INT FORM X Y = if uint 0 16 16 | int int 0 16 16 | return uint 1 16 16 | select uint 2 16 16
//!+ | clamp int 3 16 16 | 64x4 uint 0 64 4
//! buffer before f32[512 * 512] binding 0 = random(0.0, 1.0, 1)
//! buffer after f32[512 * 512] binding 1
//! push u32 512, f32 0.2
//! dispatch 512/$(X) 512/$(Y)
//! peer within 1e-6 abs
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Before { float before[]; };
layout(binding = 1) writeonly buffer After { float after[]; };
layout(push_constant) uniform Push { uint size; float rate; };

void main() {
  const INT n = INT(size), x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  const INT here = y * n + x;
#if FORM == 1
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
    after[here] = before[here];
    return;
  }
  after[here] = before[here] + rate * (before[here - n] + before[here + n] + before[here - 1] +
                                       before[here + 1] - 4 * before[here]);
#elif FORM == 2
  const bool inner = x > 0 && y > 0 && x < n - 1 && y < n - 1;
  const INT row = inner ? n : 0, column = inner ? 1 : 0;
  after[here] = before[here] + rate * (before[here - row] + before[here + row] +
                                       before[here - column] + before[here + column] -
                                       4 * before[here]);
#elif FORM == 3
  const bool edge = x == 0 || y == 0 || x == n - 1 || y == n - 1;
  const float sum = before[max(y - 1, 0) * n + x] + before[min(y + 1, n - 1) * n + x] +
                    before[y * n + max(x - 1, 0)] + before[y * n + min(x + 1, n - 1)];
  after[here] = edge ? before[here] : before[here] + rate * (sum - 4 * before[here]);
#else
  float value = before[here];
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    value += rate * (before[here - n] + before[here + n] + before[here - 1] + before[here + 1] -
                     4 * value);
  after[here] = value;
#endif
}
