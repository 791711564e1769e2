#version 450
// A loop over K from the end, two tiles a round, with operands that are loaded before it.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! each OPT = off | on
//! optimize $(OPT)
//! buffer a f16[2048] binding 0 = random(-2.0, 2.0, 1)
//! buffer b f16[2048] binding 1 = random(-2.0, 2.0, 2)
//! buffer d f32[256] binding 2
//! push s32 128
//! dispatch 1
//! matmul d(16, 16) = a(16, 128) * b(128, 16 column)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define MATRIX_B coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

layout(push_constant) uniform Push { int depth; };

void main() {
  ACCUMULATOR sum = ACCUMULATOR(0.0);
  for (int k = depth - 32; k >= 0; k -= 32) {
    MATRIX_A x, x2;
    MATRIX_B y, y2;
    coopMatLoad(x, a, k, depth, row);
    coopMatLoad(x2, a, k + 16, depth, row);
    coopMatLoad(y, b, k, depth, column);
    sum = coopMatMulAdd(x, y, sum);
    coopMatLoad(y2, b, k + 16, depth, column);
    sum = coopMatMulAdd(x2, y2, sum);
  }
  coopMatStore(sum, d, 0, 16, row);
}
