#version 450
// One step of an LU decomposition: what lies below and right of a pivot, without its column.
//! each SPELLING INT FORM X Y = if uint 0 16 16 | int int 0 16 16 | return uint 1 16 16 | 64x4 uint 0 64 4
//! buffer a f32[1024 * 1024] binding 0 = random(-1.0, 1.0, 1)
//! fill a[0..1048576 step 1025] = 1e6
//! push u32 1024, u32 100
//! dispatch 1024/$(X) 1024/$(Y)
//! peer within 1e-5 rel or 1e-6 abs
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) buffer A { float a[]; };
layout(push_constant) uniform Push { uint size, pivot; };

void main() {
  const INT n = INT(size), k = INT(pivot);
  const INT row = INT(gl_GlobalInvocationID.y), column = INT(gl_GlobalInvocationID.x);
#if FORM == 1
  if (row <= k || row >= n || column <= k || column >= n) return;
  a[row * n + column] -= a[row * n + k] / a[k * n + k] * a[k * n + column];
#else
  if (row > k && row < n && column > k && column < n) {
    const float factor = a[row * n + k] / a[k * n + k];
    a[row * n + column] = a[row * n + column] - factor * a[k * n + column];
  }
#endif
}
