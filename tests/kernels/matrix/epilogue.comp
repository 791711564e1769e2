#version 450
// After the loop: alpha * AB + beta * C, a limit for each component, and a narrowing store.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! each OPT = off | on
//! optimize $(OPT)
//! buffer a f16[512] binding 0 = random(-4, 4, 1)
//! buffer b f16[512] binding 1 = random(-4, 4, 2)
//! buffer c f32[256] binding 3 = random(-50, 50, 3)
//! buffer d f32[256] binding 2
//! buffer narrow f16[256] binding 4
//! push f32 0.5, f32 -2
//! dispatch 1
//! expect d = max(0.5 * sum(k, 0, 32, a[i / 16 * 32 + k] * b[k * 16 + i % 16]) - 2 * c[i], 0)
//! expect narrow = @d[i]
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

layout(binding = 3) readonly buffer CBuffer { float c[]; };
layout(binding = 4) writeonly buffer Narrow { float16_t narrow[]; };
layout(push_constant) uniform Push { float alpha, beta; };

void main() {
  ACCUMULATOR sum = ACCUMULATOR(0.0), z;
  for (uint k = 0; k < 2; ++k) {
    MATRIX_A x;
    MATRIX_B y;
    coopMatLoad(x, a, k * 16, 32, row);
    coopMatLoad(y, b, k * 256, 16, row);
    sum = coopMatMulAdd(x, y, sum);
  }
  coopMatLoad(z, c, 0, 16, row);
  sum = sum * alpha + z * beta;
  for (int k = 0; k < sum.length(); ++k) sum[k] = max(sum[k], 0.0);
  coopMatStore(sum, d, 0, 16, row);
  coopMatStore(coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(sum), narrow, 0, 16, row);
}
