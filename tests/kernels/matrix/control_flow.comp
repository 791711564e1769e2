#version 450
// Matrices that pass through uniform ifs, loops of run-time length and early exits.
//! each OPT = off | on
//! optimize $(OPT)
//! each STEPS = 0 | 1 | 5
//! require cooperativeMatrix
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[2048] binding 0 = random(-4, 4, 1)
//! buffer b f32[256] binding 1 = random(-4, 4, 2)
//! buffer sum f32[256] = sum(k, 0, $(STEPS), (k % 2 == 0 ? 1 : -1) * a[256 * k + i])
//! buffer d f32[256] binding 2
//! push u32 $(STEPS)
//! dispatch 1
//! matmul d(16, 16) = sum(16, 16) * b(16, 16)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(push_constant) uniform Push { uint steps; };
layout(binding = 0) readonly buffer ABuffer { float a[]; };
layout(binding = 1) readonly buffer BBuffer { float b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define MATRIX_B coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  ACCUMULATOR sum = ACCUMULATOR(0.0);
  for (uint k = 0; k < 8; ++k) {
    if (k == steps) break;
    MATRIX_A x;
    MATRIX_B y;
    coopMatLoad(x, a, 256 * k, 16, row);
    coopMatLoad(y, b, 0, 16, row);
    if (k % 2 != 0) {
      y = -y;
    }
    sum = coopMatMulAdd(x, y, sum);
  }
  coopMatStore(sum, d, 0, 16, row);
}
