#version 450
// Every 8-bit float in wider formats: exactly, subnormal numbers and NaN too.
//! each FORMAT G V = e4m3 floate4m3_t fe4m3vec4 | e5m2 floate5m2_t fe5m2vec4
//! require shaderFloat8 shaderBFloat16Type shaderFloat16 shaderFloat64 storageBuffer8BitAccess
//! require storageBuffer16BitAccess
//! buffer codes $(FORMAT)[256] binding 0
//! fill codes.u8 = i
//! buffer half f16[256] binding 1
//! buffer bfloat bf16[256] binding 2
//! buffer single f32[256] binding 3
//! buffer wide f64[256] binding 4
//! buffer vectors f32[256] binding 5
//! dispatch 4
//! expect half = codes[i]
//! expect bfloat = codes[i]
//! expect single = codes[i]
//! expect wide = codes[i]
//! expect vectors = codes[i]
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Codes { G codes[]; };
layout(binding = 0) readonly buffer Vectors { V codes4[]; };
layout(binding = 1) writeonly buffer Half { float16_t half_[]; };
layout(binding = 2) writeonly buffer Bfloat { bfloat16_t bfloat[]; };
layout(binding = 3) writeonly buffer Single { float single[]; };
layout(binding = 4) writeonly buffer Wide { double wide[]; };
layout(binding = 5) writeonly buffer Singles { vec4 vectors[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  half_[i] = float16_t(codes[i]);
  bfloat[i] = bfloat16_t(codes[i]);
  single[i] = float(codes[i]);
  wide[i] = double(codes[i]);
  if (i < 64) vectors[i] = vec4(codes4[i]);
}
