#version 450
// A function for each element: row and column, operands that are the same for all, and a matrix.
//! each TYPE T = f32 float | f16 float16_t | bf16 bfloat16_t | e4m3 floate4m3_t | s8 int8_t | u8 uint8_t | s32 int
//! each USE = A | B | Accumulator
//! require cooperativeMatrix shaderInt8 storageBuffer8BitAccess shaderFloat16 storageBuffer16BitAccess
//! require shaderBFloat16CooperativeMatrix shaderFloat8CooperativeMatrix
//! require cooperativeMatrixPerElementOperations
//! require matrix_type 16 16 $(USE) $(TYPE)
//! subgroup 32 full
//! buffer a $(TYPE)[256] binding 0 = random(0, 7, 1)
//! buffer b $(TYPE)[256] binding 1 = random(0, 7, 2)
//! buffer result $(TYPE)[256] binding 2
//! buffer untouched $(TYPE)[256] binding 3
//! dispatch 1
//! expect result = (i / 16 + 2 * (i % 16)) % 3 == 0 ? a[i] * 2 + 1 : a[i] + b[i]
//! expect untouched = a[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { T a[]; };
layout(binding = 1) readonly buffer B { T b[]; };
layout(binding = 2) writeonly buffer Result { T result[]; };
layout(binding = 3) writeonly buffer Untouched { T untouched[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
struct Factors { float scale; float offset; };

T apply(const in uint32_t r, const in uint32_t c, const in T x, const in Factors f, const in T y) {
  float value = float(x);
  if ((r + 2 * c) % 3 == 0)
    value = value * f.scale + f.offset;
  else
    value += float(y);
  return T(value);
}

void main() {
  coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse$(USE)> m, other, changed;
  coopMatLoad(m, a, 0, 16, row);
  coopMatLoad(other, b, 0, 16, row);
  coopMatPerElementNV(changed, m, apply, Factors(2, 1), other);
  coopMatStore(changed, result, 0, 16, row);
  coopMatStore(m, untouched, 0, 16, row);
}
