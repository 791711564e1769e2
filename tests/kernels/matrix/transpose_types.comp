#version 450
// Transposes that change the component type.
//! each NAME FROM TO F T = f32_f16 f32 f16 float float16_t | f32_bf16 f32 bf16 float bfloat16_t
//!+  | bf16_f32 bf16 f32 bfloat16_t float | s8_s32 s8 s32 int8_t int | s32_s8 s32 s8 int int8_t
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess shaderInt8
//! require storageBuffer8BitAccess shaderBFloat16CooperativeMatrix
//! require cooperativeMatrixConversions
//! require matrix_type 16 16 Accumulator $(FROM)
//! require matrix_type 16 16 B $(TO)
//! subgroup 32 full
//! buffer data $(FROM)[256] binding 0 = random(-100, 100, 1)
//! buffer turned $(TO)[256] binding 1
//! dispatch 1
//! expect turned = data[i % 16 * 16 + i / 16]
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { F data[]; };
layout(binding = 1) writeonly buffer Turned { T turned[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<F, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b;
  coopMatLoad(m, data, 0, 16, row);
  coopMatTransposeNV(b, m);
  coopMatStore(b, turned, 0, 16, row);
}
