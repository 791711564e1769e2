#version 450
// Integers to 8-bit floats and back: nearest even there, towards zero and to the nearest integer
// that there is back; NaN gives 0.
//! each FORMAT G LARGEST = e4m3 floate4m3_t 448.0 | e5m2 floate5m2_t 57344.0
//! each INTEGER I LOW HIGH = s8 int8_t -128 127 | u8 uint8_t 0 255 | s16 int16_t -32768 32767
//!+  | u16 uint16_t 0 65535 | s32 int -0x80000000 0x7fffffff | u32 uint 0 0xffffffff
//! require shaderFloat8 shaderInt8 shaderInt16 storageBuffer8BitAccess storageBuffer16BitAccess
//! buffer integers $(INTEGER)[256] binding 0 = i == 0 ? $(LOW) : i == 1 ? $(HIGH)
//!+  : i == 2 ? 464 : i == 3 ? 465 : i == 4 ? 61439 : i == 5 ? 61440 : random($(LOW), $(HIGH), 1) >> i % 24
//! buffer codes $(FORMAT)[256] binding 1
//! fill codes.u8 = i
//! buffer rounded $(FORMAT)[256] binding 2
//! buffer back $(INTEGER)[256] binding 3
//! dispatch 4
//! expect rounded = integers[i]
//! expect back = isnan(codes[i]) ? 0 : trunc(clamp(codes[i], $(LOW), $(HIGH)))
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Integers { I integers[]; };
layout(binding = 1) readonly buffer Codes { G codes[]; };
layout(binding = 2) writeonly buffer Rounded { G rounded[]; };
layout(binding = 3) writeonly buffer Back { I back[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  rounded[i] = G(integers[i]);
  back[i] = I(codes[i]);
}
