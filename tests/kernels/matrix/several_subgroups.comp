#version 450
// Four subgroups in a workgroup and two workgroups, a tile each.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! require subgroup basic
//! buffer a f16[2048] binding 0 = random(-2.0, 2.0, 1)
//! buffer b f16[256] binding 1 = random(-2.0, 2.0, 2)
//! buffer d f32[2048] binding 2
//! dispatch 2
//! matmul d(128, 16) = a(128, 16) * b(16, 16)
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  uint tile = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopMatLoad(x, a, tile * 256, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> z =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  coopMatStore(coopMatMulAdd(x, y, z), d, tile * 256, 16, row);
}
