#version 450
// y += a * x over an image, by workgroups of many shapes, the last of which reach past its edges, and
// the neighbours to the left. Rows of a workgroup that are shorter than a subgroup are runs of lanes.
//! each SHAPE X Y XS YS = 8x8 8 8 12 5 | 16x8 16 8 6 5 | 4x16 4 16 23 3 | 16x16 16 16 6 3 | 24x4 24 4 4 9 | 32x2 32 2 3 18 | 48x2 48 2 2 18 | 64x1 64 1 2 36 | 96x1 96 1 1 36 | 128x4 128 4 1 9
//! each GUARD = if | return
//! each INT = uint | int
//! buffer x f32[4000] binding 0 = i % 97
//! buffer y f32[4000] binding 1 = i % 89
//! push u32 91, u32 36, f32 2.0
//! dispatch $(XS) $(YS)
//! expect y = i < 91 * 36 ? i % 89 + 2 * (i % 97) + (i % 91 > 0 ? (i - 1) % 97 : 0) : i % 89
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer From { float x[]; };
layout(binding = 1) buffer To { float y[]; };
layout(push_constant) uniform Push { INT width, height; float a; };
#define if_ 1
#define return_ 2
void main() {
  const INT column = INT(gl_GlobalInvocationID.x), row = INT(gl_GlobalInvocationID.y);
#if $(GUARD)_ == return_
  if (column >= width || row >= height) return;
#else
  if (column < width && row < height)
#endif
  {
    const INT at = row * width + column;
    y[at] += a * x[at];
    if (column > 0) y[at] += x[at - 1];
  }
}
