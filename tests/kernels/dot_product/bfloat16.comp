#version 450
// OpDot on vectors of bf16. Products of these whole numbers and their sums are exact.
//! require shaderBFloat16Type shaderBFloat16DotProduct
//! buffer a bf16[400] binding 0 = random(-8, 8, 1)
//! buffer b bf16[400] binding 1 = random(-4, 4, 2)
//! buffer results bf16[100] binding 2
//! dispatch 1
//! expect results = sum(k, 0, 4, a[4*i+k] * b[4*i+k])
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer A { bf16vec4 a[]; };
layout(binding = 1) readonly buffer B { bf16vec4 b[]; };
layout(binding = 2) writeonly buffer Results { bfloat16_t results[]; };

void main() {
  uint n = gl_LocalInvocationID.x;
  results[n] = dot(a[n], b[n]);
}
