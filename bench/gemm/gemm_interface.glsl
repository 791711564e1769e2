// SPDX-License-Identifier: Apache-2.0

#version 460
// What the forms share. The host defines
//   IN_T, OUT_T                   element types
//   TILE_M, TILE_N, TILE_K        of a tile: C is TILE_M x TILE_N
//   STAGE_K                       elements of K at a time (staged and workgroup forms)
//   BLOCK_M, BLOCK_N              of C, in a workgroup
//   A_BINDING, B_BINDING, C_BINDING
// All matrices are row-major; lda, ldb and ldc are in elements.
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#ifdef USES_WORKGROUP_SCOPE
#extension GL_NV_cooperative_matrix2 : require
#endif
#ifdef USES_BFLOAT16
#extension GL_EXT_bfloat16 : require
#endif
#ifdef USES_FLOAT_E4M3
#extension GL_EXT_float_e4m3 : require
#endif

layout(local_size_x_id = 0) in;  // invocations of the workgroup

layout(push_constant) uniform Sizes { uint m, n, k, lda, ldb, ldc; };
layout(set = 0, binding = A_BINDING) readonly buffer ABuffer { IN_T a[]; };
layout(set = 0, binding = B_BINDING) readonly buffer BBuffer { IN_T b[]; };
layout(set = 0, binding = C_BINDING) writeonly buffer CBuffer { OUT_T c[]; };

#define MATRIX_A coopmat<IN_T, gl_ScopeSubgroup, TILE_M, TILE_K, gl_MatrixUseA>
#define MATRIX_B coopmat<IN_T, gl_ScopeSubgroup, TILE_K, TILE_N, gl_MatrixUseB>
#define ACCUMULATOR coopmat<OUT_T, gl_ScopeSubgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator>
#define ROW_MAJOR gl_CooperativeMatrixLayoutRowMajor
