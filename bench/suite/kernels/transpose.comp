#version 450
// A matrix transposed, without shared memory.
//! each SPELLING INT FORM X Y = 16x16 uint 0 16 16 | int int 0 16 16 | 32x8 uint 0 32 8 | 64x1 uint 0 64 1
//!+ | column uint 1 16 16 | clamp uint 2 16 16
//! buffer a f32[512 * 512] binding 0 = random(-1.0, 1.0, 1)
//! buffer b f32[512 * 512] binding 1
//! push u32 512
//! dispatch 512/$(X) 512/$(Y)
//! peer
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer B { float b[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT n = INT(size);
  INT x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
#if FORM == 1
  if (x < n && y < n) b[y * n + x] = a[x * n + y];
#elif FORM == 2
  x = min(x, n - 1);
  y = min(y, n - 1);
  b[x * n + y] = a[y * n + x];
#else
  if (x < n && y < n) b[x * n + y] = a[y * n + x];
#endif
}
