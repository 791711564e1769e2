#version 450
// Integer accumulators wrap modulo 2^32.
//! each NAME A C GA GC = s8 s8 s32 int8_t int | u8 u8 u32 uint8_t uint
//! require cooperativeMatrix shaderInt8 storageBuffer8BitAccess
//! require matrix 16 16 32 $(A) $(A) $(C) $(C)
//! buffer a $(A)[512] binding 0 = random(-128, 127, 1)
//! buffer b $(A)[512] binding 1 = random(-128, 127, 2)
//! buffer c $(C)[256] binding 2 = i % 2 == 0 ? 0x7fffffff : 0x80000000
//! buffer d $(C)[256] binding 3
//! subgroup 32 full
//! dispatch 1
//! matmul d(16, 16) = a(16, 32) * b(32, 16) + c(16, 16)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GA b[]; };
layout(binding = 2) readonly buffer CBuffer { GC c[]; };
layout(binding = 3) writeonly buffer DBuffer { GC d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<GA, gl_ScopeSubgroup, 16, 32, gl_MatrixUseA> x;
  coopmat<GA, gl_ScopeSubgroup, 32, 16, gl_MatrixUseB> y;
  coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> z;
  coopMatLoad(x, a, 0, 32, row);
  coopMatLoad(y, b, 0, 16, row);
  coopMatLoad(z, c, 0, 16, row);
  coopMatStore(coopMatMulAdd(x, y, z), d, 0, 16, row);
}
