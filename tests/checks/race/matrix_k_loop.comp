#version 450
// A product whose panels are staged in shared memory, with a barrier behind the stores of a round
// but none behind the loads of the matrices: the next round's stores meet loads of slower
// subgroups.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require subgroup basic
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[32 * 64] binding 0 = random(-2.0, 2.0, 1)
//! buffer b f16[64 * 16] binding 1 = random(-2.0, 2.0, 2)
//! buffer d f32[32 * 16] binding 2
//! buffer model f32[32 * 16] = sum(k, 0, 64, a[i / 16 * 64 + k] * b[k * 16 + i % 16])
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect d = $(BUG) ? @d[i] : model[i] within 1e-3 abs
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
shared float16_t panel[16 * 16];
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  uint tile = gl_SubgroupID;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  for (uint k = 0; k < 64; k += 16) {
    for (uint e = gl_LocalInvocationIndex; e < 256; e += 64) {
      panel[e] = b[k * 16 + e];  // finding
    }
    barrier();
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
    coopMatLoad(x, a, tile * 16 * 64 + k, 64, row);
    coopMatLoad(y, panel, 0, 16, row);  // finding
    sum = coopMatMulAdd(x, y, sum);
#if !BUG
    barrier();
#endif
  }
  coopMatStore(sum, d, tile * 256, 16, row);
}
