#version 450
// To bf16: nearest even, once; integers are rounded to f32 before (SPV_KHR_bfloat16).
//! require shaderBFloat16Type shaderFloat16 shaderFloat64 shaderInt8 shaderInt16 shaderInt64
//! require storageBuffer16BitAccess storageBuffer8BitAccess
//! each SOURCE S BITS = f16 float16_t 15 | f32 float 120 | f64 double 120 | s8 int8_t 7 | s16 int16_t 15
//!+  | s32 int 31 | u32 uint 32 | s64 int64_t 63
//! buffer data $(SOURCE)[256] binding 0 = i == 0 ? 257 : i == 1 ? 259 : i == 2 ? -257 : i == 3 ? 1
//!+  : random(-1.0, 1.0, 1) * exp2(random(1, $(BITS), 2))
//! buffer rounded bf16[256] binding 1
//! dispatch 4
//! expect rounded = $(BITS) > 100 ? data[i] : f32(data[i])
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { S data[]; };
layout(binding = 1) writeonly buffer Rounded { bfloat16_t rounded[]; };

void main() { rounded[gl_GlobalInvocationID.x] = bfloat16_t(data[gl_GlobalInvocationID.x]); }
