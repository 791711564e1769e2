#version 450
// The message names the place in the source, when the module has debug information.
//! debug
//! buffer data f32[64] binding 1
//! refuse "location.comp:11"
layout(local_size_x = 8) in;
layout(binding = 0, r32f) uniform image2D picture;
layout(binding = 1) buffer Data { float data[]; };

void main() {
  data[gl_GlobalInvocationID.x] = imageLoad(picture, ivec2(gl_GlobalInvocationID.xy)).x;
}
