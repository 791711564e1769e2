#version 450
// The number of products that are added up depends on the invocation, or on the workgroup.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[256] binding 0 = random(-3, 3, 1)
//! buffer b f16[256] binding 1 = random(-3, 3, 2)
//! buffer rounds u32[64] binding 2 = $(BUG) ? i % 4 + 1 : i / 32 + 1
//! buffer results f32[512] binding 3
//! dispatch 2
//! finding uniform divergent-matrix times $(BUG)
//! expect results = $(BUG) ? @results[i]
//!+ : (i / 256 + 1) * sum(k, 0, 16, a[i % 256 / 16 * 16 + k] * b[16 * k + i % 16])
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) readonly buffer Rounds { uint rounds[]; };
layout(binding = 3) writeonly buffer Results { float results[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  coopMatLoad(x, a, 0, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  for (uint k = 0; k < rounds[gl_GlobalInvocationID.x]; ++k) {
    sum = coopMatMulAdd(x, y, sum);  // finding
  }
  coopMatStore(sum, results, 256 * gl_WorkGroupID.x, 16, row);
}
