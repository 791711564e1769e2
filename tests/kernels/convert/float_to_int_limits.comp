#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
// What is out of range is undefined in SPIR-V; here it is the nearest integer, and 0 for what is no number,
// on all instruction sets, in vectors as in scalars.
//! require shaderFloat16 shaderFloat64 shaderInt8 shaderInt16 shaderInt64 storageBuffer16BitAccess storageBuffer8BitAccess
//! each FROM SOURCE = float f32 | double f64 | float16_t f16
//! each TO RESULT SIGN BITS = int8_t s8 1 7 | uint8_t u8 0 8 | int16_t s16 1 15 | uint16_t u16 0 16
//!+ | int s32 1 31 | uint u32 0 32 | int64_t s64 1 63 | uint64_t u64 0 64
//! buffer source $(SOURCE)[64] binding 0 = i % 8 == 0 ? nan : i % 8 == 1 ? inf : i % 8 == 2 ? -inf : i % 8 == 3 ? (-$(SIGN) * (1 << $(BITS))) : i % 8 == 4 ? ((1 << $(BITS)) - 1) : i % 8 == 5 ? ((1 << $(BITS)) - 1) * random(0.99, 1.01, 1) : i % 8 == 6 ? (-$(SIGN) * (1 << $(BITS))) * random(0.99, 1.01, 2) - random(0.0, 2.0, 3) : random(-300.0, 300.0, 4)
//! buffer results $(RESULT)[128] binding 1
//! subgroup 32
//! dispatch 1
//! expect results[0..64] = isnan(source[i]) ? 0 : source[i] >= ((1 << $(BITS)) - 1) ? ((1 << $(BITS)) - 1) : source[i] <= (-$(SIGN) * (1 << $(BITS))) ? (-$(SIGN) * (1 << $(BITS))) : trunc(source[i])
//! expect results[64..128] = isnan(source[n]) ? 0 : source[n] >= ((1 << $(BITS)) - 1) ? ((1 << $(BITS)) - 1) : source[n] <= (-$(SIGN) * (1 << $(BITS))) ? (-$(SIGN) * (1 << $(BITS))) : trunc(source[n])
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Source { FROM source[]; };
layout(binding = 1) writeonly buffer Results { TO results[]; };
void main() {
  const uint i = gl_LocalInvocationID.x;
  results[i] = TO(source[i]);
  for (uint k = 0; k < 64; ++k) {  // the same for all invocations
    const TO whole = TO(source[k]);
    if (i == 0) results[64 + k] = whole;
  }
}
