#version 450
// One step of a Cholesky decomposition: the lower part of what lies right of a finished column.
//! each SPELLING INT FORM X Y = if uint 0 16 16 | int int 0 16 16 | return uint 1 16 16 | 32x8 uint 0 32 8
//! buffer a f32[1024 * 1024] binding 0 = random(-1.0, 1.0, 1)
//! push u32 1024, u32 60
//! dispatch 1024/$(X) 1024/$(Y)
//! peer within 1e-5 rel or 1e-6 abs
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) buffer A { float a[]; };
layout(push_constant) uniform Push { uint size, pivot; };

void main() {
  const INT n = INT(size), k = INT(pivot);
  const INT row = INT(gl_GlobalInvocationID.y), column = INT(gl_GlobalInvocationID.x);
#if FORM == 1
  if (column <= k) return;
  if (row < column) return;
  a[row * n + column] -= a[row * n + k] * a[column * n + k];
#else
  if (row < n && column > k && column <= row)
    a[row * n + column] = a[row * n + column] - a[row * n + k] * a[column * n + k];
#endif
}
