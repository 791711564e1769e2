#version 450
// Every component read, changed and written by the invocation that holds it.
//! each NAME TYPE G FEATURE = f16 f16 float16_t shaderFloat16 | f32 f32 float cooperativeMatrix
//!+  | s32 s32 int shaderInt8 | u32 u32 uint shaderInt8
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess
//! subgroup 32 full
//! buffer data $(TYPE)[256] binding 0 = random(0, 40, 1)
//! buffer result $(TYPE)[256] binding 1
//! dispatch 1
//! expect result = data[i] * 3 + 1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { G data[]; };
layout(binding = 1) writeonly buffer Result { G result[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<G, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, 16, row);
  for (int k = 0; k < m.length(); ++k) m[k] = m[k] * G(3) + G(1);
  coopMatStore(m, result, 0, 16, row);
}
