#version 450
// A stride that is no multiple of 16 bytes, as rows of 32 bytes need it.
//! debug
//! each BUG = 1 | 0
//! require matrix 16 16 16 f16 f16 f32 f32 shaderFloat16 storageBuffer16BitAccess
//! setting check memory
//! subgroup 32 full
//! buffer a f16[24 * 16] binding 0 = i
//! buffer results f16[256] binding 1
//! dispatch 1
//! finding memory matrix-alignment times $(BUG) "stride"
//! expect results = $(BUG) ? @results[i] : i / 16 * 24 + i % 16
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { float16_t a[]; };
layout(binding = 1) writeonly buffer Results { float16_t results[]; };

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
  coopMatLoad(m, a, 0, 24 - 4 * BUG, gl_CooperativeMatrixLayoutRowMajor);  // finding
  coopMatStore(m, results, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
