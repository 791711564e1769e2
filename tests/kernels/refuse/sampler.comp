#version 450
// Sampled images are not there yet.
//! refuse "[Ii]mage|[Ss]ampl"
layout(local_size_x = 8) in;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) buffer Data { vec4 data[]; };

void main() { data[gl_GlobalInvocationID.x] = textureLod(picture, vec2(0.5), 0); }
