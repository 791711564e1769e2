#version 450
// Element-wise work on the components of many tiles after a product, which stays a loop: at once with the stores, in
// turn with them, in a function of one tile, and of tiles with names. A component's number, a table and another
// matrix have a part in it.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! setting component_layout native
//! subgroup 32 full
//! each SPELLING = AT_ONCE | IN_TURN | FUNCTION | NAMES
//! each OPT = off | on
//! optimize $(OPT)
//! buffer a f16[2048] binding 0 = random(-2, 2, 1)
//! buffer b f16[4096] binding 1 = random(-2, 2, 2)
//! buffer c f32[128] binding 2 = random(-4, 4, 3)
//! buffer t f32[256] binding 3 = random(-2, 2, 4)
//! buffer d f32[8192] binding 4
//! push f32 0.125
//! dispatch 1
//! remarks "array-in-memory" 0 "product-not-deferred" 0
//! expect d = (max((sum(k, 0, 32, a[i / 128 * 32 + k] * b[k * 128 + i % 128]) + c[i % 128]), 0) * 0.125 * t[(i / 128 % 16 * 16 + i % 16)] + (i / 128 % 16 * 16 + i % 16) / 32) / (1 + exp(-0.125 * (sum(k, 0, 32, a[i / 128 * 32 + k] * b[k * 128 + i % 128]) + c[i % 128]))) within 1e-5 abs or 1e-5 rel
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) readonly buffer CBuffer { float c[]; };
layout(binding = 3) readonly buffer TBuffer { float t[]; };
layout(binding = 4) writeonly buffer DBuffer { float d[]; };
layout(push_constant) uniform Push { float scale; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define AT_ONCE 0
#define IN_TURN 1
#define FUNCTION 2
#define NAMES 3
#define SUM coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
#define MATRIX_A coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define MATRIX_B coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define WORK(M)                                                                                         \
  for (int k = 0; k < (M).length(); ++k) {                                                              \
    const float x = (M)[k] + bias[k];                                                                   \
    float y = float(k);                                                                                 \
    if (x > 0) y += x * scale * t[k * 32 + gl_SubgroupInvocationID];                                    \
    (M)[k] = y / (1 + exp(-scale * x));                                                                 \
  }
#define STORE(M, I, J) coopMatStore(M, d, (I) * 2048 + (J) * 16, 128, row)

#if SPELLING == FUNCTION
SUM work(SUM tile, const SUM bias) {
  WORK(tile)
  return tile;
}
#endif

void main() {
#if SPELLING == NAMES
  SUM s0 = SUM(0), s1 = SUM(0), s2 = SUM(0), s3 = SUM(0), s4 = SUM(0), s5 = SUM(0), s6 = SUM(0), s7 = SUM(0), bias;
  for (int i = 0; i < 4; ++i) {
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = SUM(0);
    for (int k = 0; k < 2; ++k) {
      MATRIX_A x;
      MATRIX_B y;
      coopMatLoad(x, a, i * 512 + k * 16, 32, row);
#define TILE(J, S)                                       \
  coopMatLoad(y, b, k * 2048 + (J) * 16, 128, row);      \
  S = coopMatMulAdd(x, y, S);
      TILE(0, s0) TILE(1, s1) TILE(2, s2) TILE(3, s3) TILE(4, s4) TILE(5, s5) TILE(6, s6) TILE(7, s7)
    }
#define FINISH(J, S)                     \
  coopMatLoad(bias, c, (J) * 16, 0, row); \
  WORK(S)                                \
  STORE(S, i, J);
    FINISH(0, s0) FINISH(1, s1) FINISH(2, s2) FINISH(3, s3) FINISH(4, s4) FINISH(5, s5) FINISH(6, s6) FINISH(7, s7)
  }
#else
  SUM sums[4][8], bias;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) sums[i][j] = SUM(0);
  for (int k = 0; k < 2; ++k) {
    MATRIX_A x[4];
    for (int i = 0; i < 4; ++i) coopMatLoad(x[i], a, i * 512 + k * 16, 32, row);
    for (int j = 0; j < 8; ++j) {
      MATRIX_B y;
      coopMatLoad(y, b, k * 2048 + j * 16, 128, row);
      for (int i = 0; i < 4; ++i) sums[i][j] = coopMatMulAdd(x[i], y, sums[i][j]);
    }
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 8; ++j) {
      coopMatLoad(bias, c, j * 16, 0, row);
#if SPELLING == FUNCTION
      sums[i][j] = work(sums[i][j], bias);
#else
      WORK(sums[i][j])
#endif
#if SPELLING != IN_TURN
      STORE(sums[i][j], i, j);
#endif
    }
  }
#if SPELLING == IN_TURN
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) STORE(sums[i][j], i, j);
#endif
#endif
}
