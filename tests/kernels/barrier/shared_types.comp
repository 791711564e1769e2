#version 450
// Shared memory of structures, vectors, small and wide types.
//! require shaderInt8 shaderInt16 shaderFloat16 shaderInt64 storageBuffer8BitAccess
//! buffer data s8[64] binding 0 = random(-100, 100, 1)
//! buffer results f32[64] binding 1
//! dispatch 1
//! expect results = data[63 - i] * 111 + i
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { int8_t data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

struct Mixed {
  int8_t byte;
  float16_t half_;
  int16_t word;
  int64_t wide;
  vec3 vector;
  bool flag;
};
shared Mixed stage[64];

void main() {
  uint i = gl_LocalInvocationID.x;
  int8_t x = data[i];
  stage[i] = Mixed(x, float16_t(x), int16_t(x), int64_t(x) * 100, vec3(x, 2, 3), true);
  barrier();
  Mixed other = stage[63 - i];
  float sum = float(other.wide) + float(other.byte) + 3 * float(other.half_) + 3 * float(other.word) +
              4 * other.vector.x;
  results[i] = other.flag ? sum + float(i) : -1;
}
