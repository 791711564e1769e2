#version 450
// A specialized workgroup that is no multiple of four.
//! require computeDerivativeGroupLinear
//! spec 0 = u32 6
//! refuse "DerivativeGroupLinearKHR needs a multiple of 4 invocations.*6 x 3 x 1"
#extension GL_KHR_compute_shader_derivatives : require
layout(local_size_x_id = 0, local_size_y = 3) in;
layout(derivative_group_linearKHR) in;

void main() {}
