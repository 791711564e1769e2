#version 450
// A product whose depth is a push constant, and which every second workgroup skips: how much is
// multiplied is known when the kernel runs, and not before.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! each FORM = loop | twice | single
//! debug
//! buffer a f16[4096] binding 0 = random(-2.0, 2.0, 1)
//! buffer b f16[4096] binding 1 = random(-2.0, 2.0, 2)
//! buffer d f32[16384] binding 2 = 0
//! push s32 256
//! dispatch 64
//! expect d[256..512] = 0
//! expect d[512..768] = @d[i - 512]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) buffer DBuffer { float d[]; };
layout(push_constant) uniform Push { int depth; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
const int loop = 0, twice = 1, single = 2;

coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum;

void multiply(int k) {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopMatLoad(x, a, k, depth, row);
  coopMatLoad(y, b, k * 16, 16, row);
  sum = coopMatMulAdd(x, y, sum);
}

void main() {
  if ((gl_WorkGroupID.x & 1) != 0) return;
  sum = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  if (FORM == single) {
    multiply(0);
  } else {
    for (int k = 0; k < depth; k += 16) {
      multiply(k);
      if (FORM == twice) multiply(k);
    }
  }
  coopMatStore(sum, d, gl_WorkGroupID.x * 256, 16, row);
}
