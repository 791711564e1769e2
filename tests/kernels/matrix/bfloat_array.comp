#version 450
// An array of bf16 matrices, of which a value in memory says which one is multiplied.
//! require cooperativeMatrix shaderBFloat16CooperativeMatrix storageBuffer16BitAccess
//! require matrix 16 16 16 bf16 bf16 f32 f32
//! each WHICH OFFSET = 0 0 | 1 256 | 2 512
//! subgroup 32 full
//! buffer a bf16[768] binding 0 = random(-2, 2, 1)
//! buffer b bf16[256] binding 1 = random(-2, 2, 2)
//! buffer d f32[256] binding 2
//! push u32 $(WHICH)
//! dispatch 1
//! matmul d(16, 16) = a(16, 16 row offset $(OFFSET)) * b(16, 16)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(push_constant) uniform Push { uint which; };
layout(binding = 0) readonly buffer ABuffer { bfloat16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { bfloat16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX_A coopmat<bfloat16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>

void main() {
  MATRIX_A x[3];
  coopmat<bfloat16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  for (int k = 0; k < 3; ++k) x[k] = MATRIX_A(bfloat16_t(0.0));
  coopMatLoad(x[which], a, which * 256, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  coopMatStore(coopMatMulAdd(x[which], y, sum), d, 0, 16, row);
}
