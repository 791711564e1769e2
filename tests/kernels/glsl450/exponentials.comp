#version 450
// Exp, Exp2, Log, Log2, Pow, within the precision that the Vulkan specification asks of f32.
//! buffer data f32[64] binding 0 = random(-16.0, 16.0, 1)
//! buffer positive f32[64] binding 1 = random(0.001, 40.0, 2)
//! buffer results f32[320] binding 2
//! dispatch 1
//! expect results[0..64] = exp(data[n]) within 35 ulp
//! expect results[64..128] = exp2(data[n]) within 35 ulp
//! expect results[128..192] = log(positive[n]) within 3 ulp or 5e-7 abs
//! expect results[192..256] = log2(positive[n]) within 3 ulp or 5e-7 abs
//! expect results[256..320] = pow(positive[n], data[n] / 4) within 2e-5 rel
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) readonly buffer Positive { float positive[]; };
layout(binding = 2) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = exp(data[i]);
  results[64 + i] = exp2(data[i]);
  results[128 + i] = log(positive[i]);
  results[192 + i] = log2(positive[i]);
  results[256 + i] = pow(positive[i], data[i] / 4);
}
