#version 450
// To 8-bit floats: nearest even, subnormal results too. What is too large becomes NaN in e4m3 and
// infinite in e5m2, or the largest number where the conversion saturates.
//! each FORMAT G V LARGEST = e4m3 floate4m3_t fe4m3vec4 448.0 | e5m2 floate5m2_t fe5m2vec4 57344.0
//! each SOURCE S = f16 float16_t | bf16 bfloat16_t | f32 float | f64 double
//! require shaderFloat8 shaderBFloat16Type shaderFloat16 shaderFloat64 storageBuffer8BitAccess
//! require storageBuffer16BitAccess
//! buffer data $(SOURCE)[256] binding 0 = i == 0 ? inf : i == 1 ? -inf : i == 2 ? nan
//!+  : i == 3 ? 464.0 : i == 4 ? -468.0 : i == 5 ? 61440.0 : i == 6 ? -61184.0 : i == 7 ? -0.0
//!+  : random(-2.0, 2.0, 1) * exp2(random(-18, i % 2 == 0 ? 8 : 16, 2))
//! buffer rounded $(FORMAT)[256] binding 1
//! buffer saturated $(FORMAT)[256] binding 2
//! buffer vectors $(FORMAT)[256] binding 3
//! dispatch 4
//! expect rounded = data[i]
//! expect saturated = isnan(data[i]) ? nan : clamp(data[i], -$(LARGEST), $(LARGEST))
//! expect vectors = isnan(data[i]) ? nan : clamp(data[i], -$(LARGEST), $(LARGEST))
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { S data[]; };
layout(binding = 1) writeonly buffer Rounded { G rounded[]; };
layout(binding = 2) writeonly buffer Saturated { G saturated[]; };
layout(binding = 3) writeonly buffer Vectors { V vectors[]; };

#define f16_vec4 f16vec4
#define bf16_vec4 bf16vec4
#define f32_vec4 vec4
#define f64_vec4 dvec4

void main() {
  uint i = gl_GlobalInvocationID.x;
  rounded[i] = G(data[i]);
  G s;
  saturatedConvertEXT(s, data[i]);
  saturated[i] = s;
  if (i < 64) {
    V v;
    saturatedConvertEXT(v, $(SOURCE)_vec4(data[4 * i], data[4 * i + 1], data[4 * i + 2], data[4 * i + 3]));
    vectors[i] = v;
  }
}
