#version 450
// Control flow around matrices of Workgroup scope: branches and loops that invocations, subgroups
// and whole workgroups take differently, each with its effect, and matrices that live across them.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require matrix 16 16 16 f16 f16 f32 f32 invocations 128
//! require subgroup basic
//! buffer a f16[256] binding 0 = random(-4, 4, 1)
//! buffer b f16[256] binding 1 = random(-4, 4, 2)
//! buffer d f32[512] binding 2
//! buffer turns u32[256] binding 3 = 0
//! buffer counts u32[2] binding 4 = { 3, 0 }
//! subgroup 32 full
//! dispatch 2
//! matmul d(16, 16) = a(16, 16) * b(16, 16) steps 3
//! expect d[256..512] = 7
//! expect turns = (i % 128) % 7 + (i % 128 / 32 == 2 ? 100 : 0) + (i < 128 ? 3000 : 0) + (i % 2) * 10000
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
layout(binding = 3) buffer Turns { uint turns[]; };
layout(binding = 4) readonly buffer Counts { uint counts[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define ACCUMULATOR coopmat<float, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  const uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
  coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseA> x;
  coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseB> y;
  coopMatLoad(x, a, 0, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  ACCUMULATOR sum = ACCUMULATOR(0.0);
  for (uint k = 0; k < l % 7; ++k) turns[i] += 1;
  if (gl_SubgroupID == 2) turns[i] += 100;
  // A third of A B each: the product of three steps in one matrix.
  for (uint k = 0; k < counts[gl_WorkGroupID.x]; ++k) {
    for (int c = 0; c < x.length(); ++c)
      if (k != 0) x[c] = float16_t(0);
    sum = coopMatMulAdd(x, y, sum);
    turns[i] += 1000;
  }
  if (gl_WorkGroupID.x == 1) sum = ACCUMULATOR(7.0);
  if (i % 2 == 1) {
    turns[i] += 10000;
    if (l >= 128) return;
  }
  coopMatStore(sum, d, 256 * gl_WorkGroupID.x, 16, row);
}
