#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
// Attention whose softmax goes on from block to block of keys: sums that are scaled between products, products of
// which only shared memory sees the sums, operands that are loaded before the loop.
//! each COLUMNS D = narrow 16 | wide 32
//! require cooperativeMatrix vulkanMemoryModel shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! remarks "product-not-deferred" 0
//! buffer q f16[32 * $(D)] binding 0 = random(-1.0, 1.0, 1)
//! buffer k f16[32 * $(D)] binding 1 = random(-1.0, 1.0, 2)
//! buffer v f16[32 * $(D)] binding 2 = random(-1.0, 1.0, 3)
//! buffer o f32[32 * $(D)] binding 3
//! push u32 32
//! subgroup 32 full
//! dispatch 1
//! expect o = sum(j, 0, 32, exp(sum(d, 0, $(D), q[i / $(D) * $(D) + d] * k[j * $(D) + d])) * v[j * $(D) + i % $(D)])
//!+  / sum(j, 0, 32, exp(sum(d, 0, $(D), q[i / $(D) * $(D) + d] * k[j * $(D) + d]))) within 1e-3 abs
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer QBuffer { float16_t q[]; };
layout(binding = 1) readonly buffer KBuffer { float16_t k[]; };
layout(binding = 2) readonly buffer VBuffer { float16_t v[]; };
layout(binding = 3) writeonly buffer OBuffer { float o[]; };
layout(push_constant) uniform Push { uint tokens; };
const int kRow = gl_CooperativeMatrixLayoutRowMajor, kColumn = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define MATRIX_B coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define ACC coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
const uint R = 32, C = 16;  // rows of queries of a workgroup, keys of a block
shared float s_tile[R * C];
shared float16_t p_tile[R * C];
shared float factor[R];

void main() {
  const uint base = gl_WorkGroupID.y * tokens * D, row = gl_WorkGroupID.x * R, me = gl_LocalInvocationIndex;
  MATRIX_A qs[R / 16][D / 16];
  for (uint i = 0; i < R / 16; ++i)
    for (uint d = 0; d < D / 16; ++d) coopMatLoad(qs[i][d], q, base + (row + i * 16) * D + d * 16, D, kRow);
  ACC os[R / 16][D / 16];
  for (uint i = 0; i < R / 16; ++i)
    for (uint d = 0; d < D / 16; ++d) os[i][d] = ACC(0);
  float m[R / 32], l[R / 32];
  for (uint r = 0; r < R / 32; ++r) { m[r] = -1e30; l[r] = 0; }
  for (uint j = 0; j < tokens; j += C) {
    ACC ss[R / 16][C / 16];
    for (uint i = 0; i < R / 16; ++i)
      for (uint c = 0; c < C / 16; ++c) ss[i][c] = ACC(0);
    for (uint d = 0; d < D / 16; ++d)
      for (uint c = 0; c < C / 16; ++c) {
        MATRIX_B kt;
        coopMatLoad(kt, k, base + (j + c * 16) * D + d * 16, D, kColumn);
        for (uint i = 0; i < R / 16; ++i) ss[i][c] = coopMatMulAdd(qs[i][d], kt, ss[i][c]);
      }
    for (uint i = 0; i < R / 16; ++i)
      for (uint c = 0; c < C / 16; ++c) coopMatStore(ss[i][c], s_tile, i * 16 * C + c * 16, C, kRow);
    barrier();
    for (uint r = 0; r < R / 32; ++r) {
      const uint line = r * 32 + me;
      float most = m[r];
      for (uint c = 0; c < C; ++c) most = max(most, s_tile[line * C + c]);
      const float scale = exp(m[r] - most);
      float sum = 0;
      for (uint c = 0; c < C; ++c) {
        const float p = exp(s_tile[line * C + c] - most);
        sum += p;
        p_tile[line * C + c] = float16_t(p);
      }
      l[r] = l[r] * scale + sum;
      m[r] = most;
      factor[line] = scale;
    }
    barrier();
    for (uint i = 0; i < R / 16; ++i) {
      ACC by;
      coopMatLoad(by, factor, i * 16, 0, kColumn);
      for (uint d = 0; d < D / 16; ++d) os[i][d] = os[i][d] * by;
    }
    for (uint c = 0; c < C / 16; ++c) {
      MATRIX_A p[R / 16];
      for (uint i = 0; i < R / 16; ++i) coopMatLoad(p[i], p_tile, i * 16 * C + c * 16, C, kRow);
      for (uint d = 0; d < D / 16; ++d) {
        MATRIX_B vs;
        coopMatLoad(vs, v, base + (j + c * 16) * D + d * 16, D, kRow);
        for (uint i = 0; i < R / 16; ++i) os[i][d] = coopMatMulAdd(p[i], vs, os[i][d]);
      }
    }
    barrier();
  }
  for (uint r = 0; r < R / 32; ++r) factor[r * 32 + me] = 1 / l[r];
  barrier();
  for (uint i = 0; i < R / 16; ++i) {
    ACC by;
    coopMatLoad(by, factor, i * 16, 0, kColumn);
    for (uint d = 0; d < D / 16; ++d)
      coopMatStore(os[i][d] * by, o, base + (row + i * 16) * D + d * 16, D, kRow);
  }
}
