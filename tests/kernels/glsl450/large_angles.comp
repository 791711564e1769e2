#version 450
// Sines and cosines of angles of all sizes, and of one for all invocations.
//! buffer data f32[1024] binding 0 = ldexp(1 + random(0.0, 1.0, 1), i % 140 - 12) * (1 - i % 3)
//! buffer sines f32[1024] binding 1
//! buffer cosines f32[1024] binding 2
//! buffer tangents f32[1024] binding 3
//! buffer uniform_sines f32[16] binding 4
//! dispatch 16
//! expect sines = sin(data[i]) within 2 ulp
//! expect cosines = cos(data[i]) within 2 ulp
//! expect tangents = tan(data[i]) within 4 ulp
//! expect uniform_sines = sin(data[i * 64 + 5]) within 2 ulp
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { float data[]; };
layout(binding = 1) buffer Sines { float sines[]; };
layout(binding = 2) buffer Cosines { float cosines[]; };
layout(binding = 3) buffer Tangents { float tangents[]; };
layout(binding = 4) buffer UniformSines { float uniform_sines[]; };
void main() {
  const uint i = gl_GlobalInvocationID.x, group = gl_WorkGroupID.x;
  sines[i] = sin(data[i]);
  cosines[i] = cos(data[i]);
  tangents[i] = tan(data[i]);
  uniform_sines[group] = sin(data[group * 64 + 5]);
}
