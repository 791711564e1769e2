#version 450
// Shortest paths by way of one more vertex.
//! each SPELLING INT FORM X Y = min uint 0 16 16 | int int 0 16 16 | if uint 1 16 16 | 64x4 uint 0 64 4
//!+ | flat uint 2 256 1
//! buffer distance f32[512 * 512] binding 0 = random(1.0, 100.0, 1)
//! push u32 512, u32 77
//! dispatch 512*512/($(X) * $(Y))
//! peer
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) buffer Distance { float distance[]; };
layout(push_constant) uniform Push { uint size, via; };

void main() {
  const INT n = INT(size), k = INT(via);
#if FORM == 2
  const INT row = INT(gl_GlobalInvocationID.x) / 512, column = INT(gl_GlobalInvocationID.x) % 512;
#else
  const INT tiles = 512 / X, tile = INT(gl_WorkGroupID.x);
  const INT row = tile / tiles * Y + INT(gl_LocalInvocationID.y);
  const INT column = tile % tiles * X + INT(gl_LocalInvocationID.x);
#endif
  const float through = distance[row * n + k] + distance[k * n + column];
#if FORM == 1
  if (through < distance[row * n + column]) distance[row * n + column] = through;
#else
  distance[row * n + column] = min(distance[row * n + column], through);
#endif
}
