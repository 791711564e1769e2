#version 450
// Results narrower than f32 are rounded once for each multiply-add: 16 + 1 + 1 in e4m3 stays 16 in
// two steps and becomes 18 in one. What is too large becomes infinite, or NaN in e4m3.
//! each ROW A GA C GC START LARGEST UNIT = e4m3_e4m3 e4m3 floate4m3_t e4m3 floate4m3_t 16.0 448.0 2.0
//!+  | e5m2_e5m2 e5m2 floate5m2_t e5m2 floate5m2_t 8.0 57344.0 1024.0
//!+  | f16_e4m3 f16 float16_t e4m3 floate4m3_t 16.0 448.0 2.0
//!+  | f16_e5m2 f16 float16_t e5m2 floate5m2_t 8.0 57344.0 1024.0
//!+  | f32_e4m3 f32 float e4m3 floate4m3_t 16.0 448.0 2.0
//!+  | f32_e5m2 f32 float e5m2 floate5m2_t 8.0 57344.0 1024.0
//!+  | f16_f16 f16 float16_t f16 float16_t 2048.0 65504.0 4.0
//!+  | e4m3_f16 e4m3 floate4m3_t f16 float16_t 2048.0 65504.0 4.0
//!+  | e5m2_f16 e5m2 floate5m2_t f16 float16_t 2048.0 65504.0 4.0
//!+  | f32_f16 f32 float f16 float16_t 2048.0 65504.0 4.0
//!+  | bf16_bf16 bf16 bfloat16_t bf16 bfloat16_t 256.0 3.3895313892515355e38 1.661534994731145e35
//!+  | f32_bf16 f32 float bf16 bfloat16_t 256.0 3.3895313892515355e38 1.661534994731145e35
//! require cooperativeMatrix shaderFloat8CooperativeMatrix shaderBFloat16CooperativeMatrix
//! require shaderFloat16 storageBuffer8BitAccess
//! require storageBuffer16BitAccess
//! require matrix 16 16 16 $(A) $(A) $(C) $(C)
//! buffer a $(A)[256] binding 0 = i % 16 == 0 ? 1 : 0
//! buffer ones $(A)[256] binding 1 = i % 16 < 2 ? 1 : 0
//! buffer many $(A)[256] binding 2 = i % 16 == 0 ? $(UNIT) * (i / 16) : 0
//! buffer b $(A)[256] binding 3 = 1
//! buffer d $(C)[768] binding 4
//! subgroup 32 full
//! dispatch 1
//! expect d[0..256] = $(START)
//! expect d[256..512] = $(START) + 2
//! expect d[512..768] = $(LARGEST) + many[n / 16 * 16]
//! check sum(k, 512, 768, isnan(@d[k]) || isinf(@d[k])) > 50
//! check sum(k, 512, 768, @d[k] == $(LARGEST)) > 50
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer Ones { GA ones[]; };
layout(binding = 2) readonly buffer Many { GA many[]; };
layout(binding = 3) readonly buffer BBuffer { GA b[]; };
layout(binding = 4) writeonly buffer DBuffer { GC d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX_A coopmat<GA, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  MATRIX_A x, two, large;
  coopmat<GA, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopMatLoad(x, a, 0, 16, row);
  coopMatLoad(two, ones, 0, 16, row);
  coopMatLoad(large, many, 0, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  ACCUMULATOR sum = ACCUMULATOR(GC(START));
  for (int k = 0; k < 2; ++k) sum = coopMatMulAdd(x, y, sum);
  coopMatStore(sum, d, 0, 16, row);
  coopMatStore(coopMatMulAdd(two, y, ACCUMULATOR(GC(START))), d, 256, 16, row);
  coopMatStore(coopMatMulAdd(large, y, ACCUMULATOR(GC(LARGEST))), d, 512, 16, row);
}
