#version 450
// Matrices of Workgroup scope: loaded, multiplied and stored by workgroups of one subgroup and of
// several, two workgroups with a tile each.
//! each ROW A C K GA GC FEATURE = f16_f32 f16 f32 16 float16_t float shaderFloat16
//!+  | s8_s32 s8 s32 32 int8_t int shaderInt8
//! each SIZE = 32 | 64 | 128 | 256 | 1024
//! each LAYOUTS AL BL CL = rrr row row row | ccr column column row | rcc row column column
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require cooperativeMatrixWorkgroupScope
//! require matrix 16 16 $(K) $(A) $(A) $(C) $(C) invocations $(SIZE)
//! buffer a $(A)[2 * 16 * $(K)] binding 0 = random(-20.0, 20.0, 1)
//! buffer b $(A)[2 * $(K) * 16] binding 1 = random(-20.0, 20.0, 2)
//! buffer c $(C)[2 * 256] binding 2 = random(-100.0, 100.0, 3)
//! buffer d $(C)[2 * 256] binding 3
//! spec 0 = u32 $(SIZE)
//! subgroup 32 full
//! dispatch 2
//! matmul d(16, 16 $(CL)) = a(16, $(K) $(AL)) * b($(K), 16 $(BL)) + c(16, 16 $(CL))
//! matmul d(16, 16 $(CL) offset 256) = a(16, $(K) $(AL) offset 16 * $(K))
//!+  * b($(K), 16 $(BL) offset 16 * $(K)) + c(16, 16 $(CL) offset 256)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GA b[]; };
layout(binding = 2) readonly buffer CBuffer { GC c[]; };
layout(binding = 3) writeonly buffer DBuffer { GC d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  const uint factors = gl_WorkGroupID.x * 16 * K, sums = gl_WorkGroupID.x * 256;
  coopmat<GA, gl_ScopeWorkgroup, 16, K, gl_MatrixUseA> x;
  coopmat<GA, gl_ScopeWorkgroup, K, 16, gl_MatrixUseB> y;
  coopmat<GC, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> z;
  coopMatLoad(x, a, factors, AL == row ? K : 16, AL);
  coopMatLoad(y, b, factors, BL == row ? 16 : K, BL);
  coopMatLoad(z, c, sums, 16, CL);
  coopMatStore(coopMatMulAdd(x, y, z), d, sums, 16, CL);
}
