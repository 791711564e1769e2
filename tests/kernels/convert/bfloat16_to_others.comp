#version 450
// Every bf16 in other types: exact in f32 and f64, to nearest even in f16, towards zero in integers.
//! require shaderBFloat16Type shaderFloat16 shaderFloat64 shaderInt16 storageBuffer16BitAccess
//! buffer codes bf16[65536] binding 0
//! fill codes.u16 = i
//! buffer single f32[65536] binding 1
//! buffer wide f64[65536] binding 2
//! buffer half f16[65536] binding 3
//! buffer signed s32[65536] binding 4
//! buffer unsigned u16[65536] binding 5
//! dispatch 1024
//! expect single = codes[i]
//! expect wide = codes[i]
//! expect half = codes[i]
//! expect signed = isnan(codes[i]) ? 0 : trunc(clamp(codes[i], -2147483648, 2147483647))
//! expect unsigned = isnan(codes[i]) ? 0 : trunc(clamp(codes[i], 0, 65535))
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Codes { bfloat16_t codes[]; };
layout(binding = 1) writeonly buffer Single { float single[]; };
layout(binding = 2) writeonly buffer Wide { double wide[]; };
layout(binding = 3) writeonly buffer Half { float16_t half_[]; };
layout(binding = 4) writeonly buffer Signed { int signed_[]; };
layout(binding = 5) writeonly buffer Unsigned { uint16_t unsigned_[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  single[i] = float(codes[i]);
  wide[i] = double(codes[i]);
  half_[i] = float16_t(codes[i]);
  signed_[i] = int(codes[i]);
  unsigned_[i] = uint16_t(codes[i]);
}
