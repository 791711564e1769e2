#version 450
// A matrix transposed through tiles in shared memory.
//! each SPELLING INT FORM PADDING X Y = padded uint 0 1 16 16 | int int 0 1 16 16
//!+ | unpadded uint 0 0 16 16 | two uint 0 2 16 16 | 32x8 uint 1 1 32 8
//! buffer a f32[512 * 512] binding 0 = random(-1.0, 1.0, 1)
//! buffer b f32[512 * 512] binding 1
//! push u32 512
//! dispatch 512/$(X) 512/$(X)
//! peer
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer B { float b[]; };
layout(push_constant) uniform Push { uint size; };
shared float tile[X][X + PADDING];

void main() {
  const INT n = INT(size), x = INT(gl_LocalInvocationID.x), y = INT(gl_LocalInvocationID.y);
  const INT row = INT(gl_WorkGroupID.y) * X, column = INT(gl_WorkGroupID.x) * X;
#if FORM == 1
  for (INT k = 0; k < X; k += Y) tile[y + k][x] = a[(row + y + k) * n + column + x];
  barrier();
  for (INT k = 0; k < X; k += Y) b[(column + y + k) * n + row + x] = tile[x][y + k];
#else
  tile[y][x] = a[(row + y) * n + column + x];
  barrier();
  b[(column + y) * n + row + x] = tile[x][y];
#endif
}
