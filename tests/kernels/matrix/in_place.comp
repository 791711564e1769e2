#version 450
// The accumulator's buffer is the result's: C is read before D is written, and A of the second step
// is what the first stored.
//! require cooperativeMatrix
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[256] binding 0 = random(-2, 2, 1)
//! buffer b f32[256] binding 1 = i % 17 == 0 ? 2 : 0
//! buffer c f32[256] binding 2 = random(-9, 9, 3)
//! dispatch 1
//! expect c = 2 * (2 * a[i] + c[i]) + (2 * a[i] + c[i])
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float a[]; };
layout(binding = 1) readonly buffer BBuffer { float b[]; };
layout(binding = 2) buffer CBuffer { float c[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> z;
  coopMatLoad(x, a, 0, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  coopMatLoad(z, c, 0, 16, row);
  coopMatStore(coopMatMulAdd(x, y, z), c, 0, 16, row);
  controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
  coopMatLoad(x, c, 0, 16, row);
  coopMatLoad(z, c, 0, 16, row);
  coopMatStore(coopMatMulAdd(x, y, z), c, 0, 16, row);
}
