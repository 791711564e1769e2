#version 450
// With exact numerics subnormal bf16 operands count, and subnormal results are kept.
//! setting numerics exact
//! each ROW A GA C GC = bf16_f32 bf16 bfloat16_t f32 float | bf16_bf16 bf16 bfloat16_t bf16 bfloat16_t
//!+  | f32_bf16 f32 float bf16 bfloat16_t
//! require cooperativeMatrix shaderBFloat16CooperativeMatrix storageBuffer16BitAccess
//! require matrix 16 16 16 $(A) $(A) $(C) $(C)
//! buffer a $(A)[256] binding 0 = i % 16 == 0 ? random(-1.0, 1.0, 1) * exp2(-65)
//!+  : i % 16 == 1 ? from_bits_bf16(i / 16) : 0
//! buffer b $(A)[256] binding 1 = i < 16 ? random(-1.0, 1.0, 2) * exp2(-64) : i < 32 ? 3 : 0
//! buffer d $(C)[256] binding 2
//! subgroup 32 full
//! dispatch 1
//! expect d = f32(f32(a[i / 16 * 16] * b[i % 16]) + a[i / 16 * 16 + 1] * b[16 + i % 16])
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GA b[]; };
layout(binding = 2) writeonly buffer DBuffer { GC d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  coopmat<GA, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
  coopmat<GA, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopMatLoad(x, a, 0, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  coopMatStore(coopMatMulAdd(x, y, ACCUMULATOR(GC(0))), d, 0, 16, row);
}
