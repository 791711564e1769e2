#version 450
// A specialized workgroup that is not made of blocks of 2x2.
//! require computeDerivativeGroupQuads
//! spec 0 = u32 6
//! spec 1 = u32 3
//! refuse "DerivativeGroupQuadsKHR needs .*6 x 3 x 1"
#extension GL_KHR_compute_shader_derivatives : require
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(derivative_group_quadsKHR) in;

void main() {}
