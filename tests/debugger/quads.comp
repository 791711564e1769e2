#version 450
#extension GL_KHR_compute_shader_derivatives : require
// Lanes that are 2x2 invocations, four by four.
//! require computeDerivativeGroupQuads
//! buffer results u32[128] binding 0
//! debug
//! dispatch 2
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsKHR) in;
layout(binding = 0) buffer Results { uint results[]; };
void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  results[at.y * 16 + at.x] = at.x;  // the store
}
