#version 450
// Accumulators that live across barriers while two subgroups stage operands for each other.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! require subgroup basic
//! buffer a f16[2048] binding 0 = random(-2.0, 2.0, 1)
//! buffer b f16[1024] binding 1 = random(-2.0, 2.0, 2)
//! buffer d f32[512] binding 2
//! dispatch 1
//! matmul d(32, 16) = a(32, 64) * b(64, 16)
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
shared float16_t a_stage[32 * 16], b_stage[16 * 16];
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  uint i = gl_LocalInvocationIndex;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  for (uint k = 0; k < 64; k += 16) {
    for (uint e = i; e < 512; e += 64) a_stage[e] = a[e / 16 * 64 + k + e % 16];
    for (uint e = i; e < 256; e += 64) b_stage[e] = b[(k + e / 16) * 16 + e % 16];
    barrier();
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
    coopMatLoad(x, a_stage, gl_SubgroupID * 256, 16, row);
    coopMatLoad(y, b_stage, 0, 16, row);
    sum = coopMatMulAdd(x, y, sum);
    barrier();
  }
  coopMatStore(sum, d, gl_SubgroupID * 256, 16, row);
}
