#version 450
// Push constants: scalars, vectors, an array indexed at run time, 64-bit and 16-bit members.
//! require shaderInt64 shaderInt16 storagePushConstant16
//! buffer results s64[8] binding 0
//! push s32 -5, pad 4, f32 1.5, f32 2.5, u32 10, u32 20, u32 30, u32 40, s64 -123456789012, s16 -7, u16 65535
//! dispatch 1
//! expect results = { -5, 4, 40, 30, 20, -123456789012, -7, 65535 }
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 1) in;
layout(push_constant) uniform Push {
  int first;
  vec2 pair;
  uint array[4];
  int64_t wide;
  int16_t small;
  uint16_t last;
};
layout(binding = 0) writeonly buffer Results { int64_t results[]; };

void main() {
  results[0] = first;
  results[1] = int64_t(pair.x + pair.y);
  for (int k = 0; k < 3; ++k) results[2 + k] = array[3 - k];
  results[5] = wide;
  results[6] = small;
  results[7] = last;
}
