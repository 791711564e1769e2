#version 450
// Transposes of accumulators, of every width of components.
//! each TYPE T = f32 float | bf16 bfloat16_t | f16 float16_t | s8 int8_t | s32 int
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess shaderInt8
//! require storageBuffer8BitAccess shaderBFloat16CooperativeMatrix
//! require cooperativeMatrixConversions
//! require matrix_type 16 16 Accumulator $(TYPE)
//! require matrix_type 16 16 B $(TYPE)
//! subgroup 32 full
//! buffer data $(TYPE)[256] binding 0 = random(-100, 100, 1)
//! buffer turned $(TYPE)[256] binding 1
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
layout(binding = 0) readonly buffer Data { T data[]; };
layout(binding = 1) writeonly buffer Turned { T turned[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b;
  coopMatLoad(m, data, 0, 16, row);
  coopMatTransposeNV(b, m);
  coopMatStore(b, turned, 0, 16, row);
}
