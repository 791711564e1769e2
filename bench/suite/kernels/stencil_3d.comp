#version 450
// A seven-point stencil in space, without the outermost layer.
//! each SPELLING INT FORM X Y Z GROUPS = if uint 0 8 8 4 16 | int int 0 8 8 4 16 | return uint 1 8 8 4 16
//!+ | column uint 2 32 8 1 1 | 64x4 uint 0 64 4 1 64
//! buffer before f32[64 * 64 * 64] binding 0 = random(0.0, 1.0, 1)
//! buffer after f32[64 * 64 * 64] binding 1 = 0
//! push u32 64, f32 0.5, f32 0.0625
//! dispatch 64/$(X) 64/$(Y) $(GROUPS)
//! peer within 1e-6 abs
layout(local_size_x = X, local_size_y = Y, local_size_z = Z) in;
layout(binding = 0) readonly buffer Before { float before[]; };
layout(binding = 1) writeonly buffer After { float after[]; };
layout(push_constant) uniform Push { uint size; float center, side; };

void update(INT n, INT here) {
  after[here] = center * before[here] +
                side * (before[here - 1] + before[here + 1] + before[here - n] + before[here + n] +
                        before[here - n * n] + before[here + n * n]);
}

void main() {
  const INT n = INT(size), x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
#if FORM == 2
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
    for (INT z = 1; z < n - 1; ++z) update(n, (z * n + y) * n + x);
#else
  const INT z = INT(gl_GlobalInvocationID.z);
#if FORM == 1
  if (x == 0 || x >= n - 1) return;
  if (y == 0 || y >= n - 1) return;
  if (z == 0 || z >= n - 1) return;
  update(n, (z * n + y) * n + x);
#else
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1 && z > 0 && z < n - 1)
    update(n, z * n * n + y * n + x);
#endif
#endif
}
