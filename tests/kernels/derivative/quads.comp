#version 450
// Derivatives over blocks of 2x2 invocations. Quad operations, the order of invocations in a
// subgroup, and local ids and indices agree with them.
//! require computeDerivativeGroupQuads
//! require subgroup quad
//! each SHAPE X Y Z N = wide 32 4 1 128 | square 8 8 1 64 | tall 2 16 2 64 | deep 4 2 12 96
//!+ | partial 6 10 1 60 | odd 6 2 3 36 | one 2 2 1 4
//! each SIZE = 8 | 16 | 32 | 64
//! buffer data f32[160] binding 0 = random(-1.0, 1.0, 1)
//! buffer x f32[256] binding 1
//! buffer y f32[256] binding 2
//! buffer width f32[256] binding 3
//! buffer coarse f32[512] binding 4
//! buffer quad f32[512] binding 5
//! buffer order u32[256] binding 6
//! subgroup $(SIZE)
//! dispatch 1
//! expect x[0..$(N)] = data[i - i % 2 + 1] - data[i - i % 2]
//! expect x[128..128 + $(N)] = data[n - n % 2 + 1] - data[n - n % 2]
//! expect y[0..$(N)] = data[i - i / $(X) % 2 * $(X) + $(X)] - data[i - i / $(X) % 2 * $(X)]
//! expect width[0..$(N)] = f32(abs(data[i - i % 2 + 1] - data[i - i % 2]))
//!+ + f32(abs(data[i - i / $(X) % 2 * $(X) + $(X)] - data[i - i / $(X) % 2 * $(X)]))
//! expect coarse[0..$(N)] = data[i - i / $(X) % 2 * $(X) - i % 2 + 1]
//!+ - data[i - i / $(X) % 2 * $(X) - i % 2]
//! expect coarse[256..256 + $(N)] = data[n - n / $(X) % 2 * $(X) - n % 2 + $(X)]
//!+ - data[n - n / $(X) % 2 * $(X) - n % 2]
//! expect quad[0..$(N)] = data[n - n % 2 * 2 + 1]
//! expect quad[256..256 + $(N)] = data[n + $(X) - n / $(X) % 2 * 2 * $(X)]
//! expect order[0..$(N)] = i % 2 + i / $(X) % 2 * 2
//! expect order[128..128 + $(N)] = n
#extension GL_KHR_compute_shader_derivatives : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = X, local_size_y = Y, local_size_z = Z) in;
layout(derivative_group_quadsKHR) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Rx { float x[]; };
layout(binding = 2) writeonly buffer Ry { float y[]; };
layout(binding = 3) writeonly buffer Rw { float width[]; };
layout(binding = 4) writeonly buffer Rc { float coarse[]; };
layout(binding = 5) writeonly buffer Rq { float quad[]; };
layout(binding = 6) writeonly buffer Ro { uint order[]; };

void main() {
  uint i = (gl_LocalInvocationID.z * Y + gl_LocalInvocationID.y) * X + gl_LocalInvocationID.x;
  float p = data[i];
  x[i] = dFdx(p);
  x[128 + i] = dFdxFine(p);
  y[i] = dFdyFine(p);
  width[i] = fwidth(p);
  coarse[i] = dFdxCoarse(p);
  coarse[256 + i] = dFdyCoarse(p);
  quad[i] = subgroupQuadSwapHorizontal(p);
  quad[256 + i] = subgroupQuadSwapVertical(p);
  order[i] = gl_SubgroupInvocationID % 4;
  order[128 + i] = gl_LocalInvocationIndex;
}
