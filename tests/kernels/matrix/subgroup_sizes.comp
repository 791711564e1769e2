#version 450
// A multiply-add at every subgroup size: the distribution over invocations must not matter.
//! each SIZE = 8 | 16 | 32 | 64
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! buffer a f16[256] binding 0 = random(-2.0, 2.0, 1)
//! buffer b f16[256] binding 1 = random(-2.0, 2.0, 2)
//! buffer d f32[256] binding 2
//! spec 0 = u32 $(SIZE)
//! subgroup $(SIZE) full
//! dispatch 1
//! matmul d(16, 16 row) = a(16, 16 row) * b(16, 16 row)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopMatLoad(x, a, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(y, b, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> z =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  coopMatStore(coopMatMulAdd(x, y, z), d, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
