#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
// A step of Conway's game of life on a torus, a byte a cell.
//! require shaderInt8 storageBuffer8BitAccess
//! each SPELLING INT FORM X Y = mask uint 0 16 16 | int int 0 16 16 | if int 1 16 16 | loop int 2 16 16
//!+ | modulo uint 3 16 16 | 64x1 uint 0 64 1
//! buffer before u8[512 * 512] binding 0 = random(0, 1, 1)
//! buffer after u8[512 * 512] binding 1
//! push u32 512
//! dispatch 512/$(X) 512/$(Y)
//! peer
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Before { uint8_t before[]; };
layout(binding = 1) writeonly buffer After { uint8_t after[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT n = INT(size), x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
#if FORM == 1
  const INT left = x == 0 ? n - 1 : x - 1, right = x == n - 1 ? 0 : x + 1;
  const INT above = y == 0 ? n - 1 : y - 1, below = y == n - 1 ? 0 : y + 1;
#elif FORM == 3
  const INT left = (x + n - 1) % n, right = (x + 1) % n;
  const INT above = (y + n - 1) % n, below = (y + 1) % n;
#else
  const INT left = x - 1 & n - 1, right = x + 1 & n - 1;
  const INT above = y - 1 & n - 1, below = y + 1 & n - 1;
#endif
#if FORM == 2
  int alive = 0;
  for (INT j = -1; j <= 1; ++j)
    for (INT i = -1; i <= 1; ++i)
      if (i != 0 || j != 0) alive += int(before[(y + j & n - 1) * n + (x + i & n - 1)]);
#else
  const int alive = int(before[above * n + left]) + int(before[above * n + x]) +
                    int(before[above * n + right]) + int(before[y * n + left]) +
                    int(before[y * n + right]) + int(before[below * n + left]) +
                    int(before[below * n + x]) + int(before[below * n + right]);
#endif
  const bool was = before[y * n + x] != uint8_t(0);
  after[y * n + x] = uint8_t(alive == 3 || (alive == 2 && was) ? 1 : 0);
}
