#version 450
// Storage images are not there yet.
//! refuse "[Ii]mage"
layout(local_size_x = 8) in;
layout(binding = 0, rgba32f) uniform image2D picture;
layout(binding = 1) buffer Data { vec4 data[]; };

void main() { data[gl_GlobalInvocationID.x] = imageLoad(picture, ivec2(gl_GlobalInvocationID.xy)); }
