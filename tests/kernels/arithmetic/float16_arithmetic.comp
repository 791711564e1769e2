#version 450
// f16: sums, differences and products are correctly rounded, quotients within 2.5 ulp.
//! require shaderFloat16 storageBuffer16BitAccess
//! buffer a f16[256] binding 0 = random(-100.0, 100.0, 1)
//! buffer b f16[256] binding 1 = random(0.5, 4.0, 2)
//! buffer results f16[1280] binding 2
//! dispatch 4
//! expect results[0..256] = a[n] + b[n]
//! expect results[256..512] = a[n] - b[n]
//! expect results[512..768] = a[n] * b[n]
//! expect results[768..1024] = a[n] / b[n] within 2.5 ulp
//! expect results[1024..1280] = -a[n]
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float16_t a[]; };
layout(binding = 1) readonly buffer B { float16_t b[]; };
layout(binding = 2) writeonly buffer Results { float16_t results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = a[i] + b[i];
  results[i + 256] = a[i] - b[i];
  results[i + 512] = a[i] * b[i];
  results[i + 768] = a[i] / b[i];
  results[i + 1024] = -a[i];
}
