#version 450
// Accumulators as operands, with and without another type, and back.
//! each USE = A | B
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess shaderInt8
//! require storageBuffer8BitAccess shaderFloat8CooperativeMatrix
//! require VK_EXT_cooperative_matrix_maintenance1 cooperativeMatrixConversions
//! require matrix_type 16 16 Accumulator f32
//! require matrix_type 16 16 $(USE) f32
//! require matrix_type 16 16 $(USE) f16
//! require matrix_type 16 16 $(USE) e4m3
//! require matrix_type 16 16 $(USE) s8
//! subgroup 32 full
//! buffer data f32[256] binding 0 = random(-100, 100, 1)
//! buffer same f32[256] binding 1
//! buffer half f16[256] binding 2
//! buffer small e4m3[256] binding 3
//! buffer whole s8[256] binding 4
//! buffer back f32[256] binding 5
//! buffer widened f32[256] binding 6
//! dispatch 1
//! expect same = data[i]
//! expect half = data[i]
//! expect small = data[i]
//! expect whole = data[i]
//! expect back = data[i]
//! expect widened = f16(data[i])
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_float_e4m3 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Same { float same[]; };
layout(binding = 2) writeonly buffer Half { float16_t half_[]; };
layout(binding = 3) writeonly buffer Small { floate4m3_t small[]; };
layout(binding = 4) writeonly buffer Whole { int8_t whole[]; };
layout(binding = 5) writeonly buffer Back { float back[]; };
layout(binding = 6) writeonly buffer Widened { float widened[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define OPERAND(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse$(USE)>
#define SUM(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  SUM(float) m;
  coopMatLoad(m, data, 0, 16, row);
  OPERAND(float) operand = OPERAND(float)(m);
  OPERAND(float16_t) narrow = OPERAND(float16_t)(m);
  coopMatStore(operand, same, 0, 16, row);
  coopMatStore(narrow, half_, 0, 16, row);
  coopMatStore(OPERAND(floate4m3_t)(m), small, 0, 16, row);
  coopMatStore(OPERAND(int8_t)(m), whole, 0, 16, row);
  coopMatStore(SUM(float)(operand), back, 0, 16, row);
  coopMatStore(SUM(float)(narrow), widened, 0, 16, row);
}
