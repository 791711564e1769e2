#version 450
// Derivatives over four invocations with consecutive indices, also in control flow that whole quads
// take, of vectors, and of what all invocations share.
//! require computeDerivativeGroupLinear
//! each SHAPE X Y Z N = line 128 1 1 128 | square 6 6 1 36 | one 4 1 1 4 | cube 5 4 3 60
//! each SIZE = 8 | 16 | 32 | 64
//! buffer data f32[256] binding 0 = random(-1.0, 1.0, 1)
//! buffer x f32[256] binding 1
//! buffer y f32[256] binding 2
//! buffer width f32[256] binding 3
//! buffer coarse f32[256] binding 4
//! buffer either f32[256] binding 5
//! buffer shared_value f32[256] binding 6
//! subgroup $(SIZE)
//! dispatch 1
//! expect x[0..2 * $(N)] = data[i - i / 2 % 2 * 2 + 2] - data[i - i / 2 % 2 * 2]
//! expect y[0..$(N)] = data[i - i % 4 + i % 2 + 2] - data[i - i % 4 + i % 2]
//! expect width[0..$(N)] = abs(data[i - i % 4 + 1] - data[i - i % 4])
//!+ + abs(data[i - i % 4 + 2] - data[i - i % 4]) within 1 ulp
//! expect coarse[0..$(N)] = data[i - i % 4 + 2] - data[i - i % 4]
//! expect either[0..$(N)] = i / 4 % 2 == 0 ? data[i - i % 2 + 1] - data[i - i % 2]
//!+ : data[i - i % 4 + 2] - data[i - i % 4]
//! expect shared_value[0..$(N)] = 0
#extension GL_KHR_compute_shader_derivatives : require
layout(local_size_x = X, local_size_y = Y, local_size_z = Z) in;
layout(derivative_group_linearKHR) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Rx { vec2 x[]; };
layout(binding = 2) writeonly buffer Ry { float y[]; };
layout(binding = 3) writeonly buffer Rw { float width[]; };
layout(binding = 4) writeonly buffer Rc { float coarse[]; };
layout(binding = 5) writeonly buffer Re { float either[]; };
layout(binding = 6) writeonly buffer Rs { float shared_value[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  float p = data[i];
  x[i] = dFdx(vec2(data[2 * i], data[2 * i + 1]));
  y[i] = dFdy(p);
  width[i] = fwidthCoarse(p);
  coarse[i] = dFdyCoarse(p);
  if (i / 4 % 2 == 0)
    either[i] = dFdx(p);
  else
    either[i] = dFdyCoarse(p);
  shared_value[i] = dFdx(data[200] * data[201]);
}
