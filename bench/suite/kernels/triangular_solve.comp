#version 450
// L x = b for many right sides: forward substitution, a right side an invocation.
//! each SPELLING INT FORM = for uint 0 | int int 0 | while uint 1 | fma uint 2
//! buffer l f32[64 * 64] binding 0 = random(-0.1, 0.1, 1)
//! fill l[0..4096 step 65] = 2.0
//! buffer b f32[64 * 2048] binding 1 = random(-1.0, 1.0, 2)
//! buffer x f32[64 * 2048] binding 2
//! push u32 64, u32 2048
//! dispatch 32
//! peer within 1e-4 abs
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer L { float l[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) buffer X { float x[]; };
layout(push_constant) uniform Push { uint size, sides; };

void main() {
  const INT n = INT(size), m = INT(sides), side = INT(gl_GlobalInvocationID.x);
#if FORM == 1
  INT row = 0;
  while (row < n) {
    float sum = b[row * m + side];
    INT k = 0;
    while (k < row) {
      sum -= l[row * n + k] * x[k * m + side];
      ++k;
    }
    x[row * m + side] = sum / l[row * n + row];
    ++row;
  }
#else
  for (INT row = 0; row < n; ++row) {
    float sum = b[row * m + side];
#if FORM == 2
    for (INT k = 0; k < row; ++k) sum = fma(-l[row * n + k], x[k * m + side], sum);
#else
    for (INT k = 0; k < row; ++k) sum -= l[row * n + k] * x[k * m + side];
#endif
    x[row * m + side] = sum / l[row * n + row];
  }
#endif
}
