#version 450
// 8-bit integers wrap at 8 bits, in every operation.
//! require shaderInt8 storageBuffer8BitAccess
//! each TYPE GLSL = s8 int8_t | u8 uint8_t
//! buffer a $(TYPE)[256] binding 0 = random(-128, 255, 1)
//! buffer b $(TYPE)[256] binding 1 = random(1, 127, 2)
//! buffer results $(TYPE)[1536] binding 2
//! dispatch 4
//! expect results[0..256] = a[n] + b[n]
//! expect results[256..512] = a[n] - b[n]
//! expect results[512..768] = a[n] * b[n]
//! expect results[768..1024] = a[n] / b[n]
//! expect results[1024..1280] = (a[n] << (b[n] & 7)) ^ (a[n] >> (b[n] & 7))
//! expect results[1280..1536] = min(a[n], b[n]) ^ ~max(a[n], b[n])
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { GLSL a[]; };
layout(binding = 1) readonly buffer B { GLSL b[]; };
layout(binding = 2) writeonly buffer Results { GLSL results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  GLSL x = a[i], y = b[i];
  results[i] = x + y;
  results[i + 256] = x - y;
  results[i + 512] = x * y;
  results[i + 768] = x / y;
  GLSL shift = y & GLSL(7);
  results[i + 1024] = (x << shift) ^ (x >> shift);
  results[i + 1280] = (x < y ? x : y) ^ ~(x > y ? x : y);
}
