#version 450
// OpDot on vectors of bf16 rounds once: what is too small for the sum so far is not lost.
//! require shaderBFloat16Type shaderBFloat16DotProduct
//! buffer a bf16[128] binding 0 = random(-1.0, 1.0, 1)
//! buffer b bf16[128] binding 1 = random(-1.0, 1.0, 2)
//! fill a[0..12] = { 256, 1, 1, -256, 256, 1, 0.5, 0, 1.0078125, 1.0078125, 1.0078125, -3 }
//! fill b[0..12] = { 1, 1, 1, 1, 1, 1, 1, 0, 1.0078125, 1.0078125, 1.0078125, 1 }
//! buffer results bf16[32] binding 2
//! dispatch 1
//! expect results[0..3] = { 2, 258, 0.04705810546875 }
//! expect results[3..32] = sum(k, 0, 4, a[4*i+k] * b[4*i+k]) within 0.51 ulp or 1e-7 abs
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { bf16vec4 a[]; };
layout(binding = 1) readonly buffer B { bf16vec4 b[]; };
layout(binding = 2) writeonly buffer Results { bfloat16_t results[]; };

void main() {
  uint n = gl_LocalInvocationID.x;
  results[n] = dot(a[n], b[n]);
}
