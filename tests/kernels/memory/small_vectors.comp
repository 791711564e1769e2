#version 450
// Vectors of 8- and 16-bit components.
//! require shaderInt8 shaderFloat16 storageBuffer8BitAccess storageBuffer16BitAccess
//! buffer bytes u8[256] binding 0 = random(0, 255, 1)
//! buffer halves f16[256] binding 1 = random(-8, 8, 2)
//! buffer results f16[256] binding 2
//! dispatch 1
//! expect results = halves[4 * (i / 4) + 3 - i % 4] * 2 + bytes[i] % 16
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Bytes { u8vec4 bytes[]; };
layout(binding = 1) readonly buffer Halves { f16vec4 halves[]; };
layout(binding = 2) writeonly buffer Results { f16vec4 results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = halves[i].wzyx * float16_t(2) + f16vec4(bytes[i] & u8vec4(15));
}
