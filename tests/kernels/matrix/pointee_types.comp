#version 450
// Every overload of coopMatLoad and coopMatStore, but those of uint64_t, which glslang takes for
// others: the array's type decides the unit of element and stride, nothing else. Rows of 64 bytes, 96
// apart, from byte 32 on.
//! each TYPE T S =
//!+  i8 int8_t 1 | i8x2 i8vec2 2 | i8x4 i8vec4 4
//!+  | i16 int16_t 2 | i16x2 i16vec2 4 | i16x4 i16vec4 8
//!+  | i32 int32_t 4 | i32x2 i32vec2 8 | i32x4 i32vec4 16
//!+  | i64 int64_t 8 | i64x2 i64vec2 16 | i64x4 i64vec4 32
//!+  | u8 uint8_t 1 | u8x2 u8vec2 2 | u8x4 u8vec4 4
//!+  | u16 uint16_t 2 | u16x2 u16vec2 4 | u16x4 u16vec4 8
//!+  | u32 uint32_t 4 | u32x2 u32vec2 8 | u32x4 u32vec4 16
//!+  | f16 float16_t 2 | f16x2 f16vec2 4 | f16x4 f16vec4 8
//!+  | f32 float 4 | f32x2 f32vec2 8 | f32x4 f32vec4 16
//!+  | f64 float64_t 8 | f64x2 f64vec2 16 | f64x4 f64vec4 32
//! require cooperativeMatrix shaderInt8 shaderInt16 shaderInt64 shaderFloat16 shaderFloat64
//! require storageBuffer8BitAccess storageBuffer16BitAccess
//! require matrix 16 16 16 f32 f32 f32 f32
//! buffer a f32[400] binding 0 = i
//! buffer rows f32[400] binding 1 = -1
//! buffer columns f32[400] binding 2 = -1
//! buffer staged f32[400] binding 3 = -1
//! subgroup 32 full
//! dispatch 1
//! expect rows = i >= 8 && i < 384 && (i - 8) % 24 < 16 ? i : -1
//! expect columns = i >= 8 && i < 384 && (i - 8) % 24 < 16 ? 8 + (i - 8) / 24 + (i - 8) % 24 * 24 : -1
//! expect staged = i >= 8 && i < 384 && (i - 8) % 24 < 16 ? i : -1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0, std430) readonly buffer ABuffer { T a[]; };
layout(binding = 1, std430) writeonly buffer Rows { T rows[]; };
layout(binding = 2, std430) writeonly buffer Columns { T columns[]; };
layout(binding = 3, std430) writeonly buffer Staged { T staged[]; };
shared T tile[1600 / S];
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, a, uint(32 / S), uint(96 / S), row);
  coopMatStore(m, rows, uint(32 / S), uint(96 / S), row);
  coopMatStore(m, columns, uint(32 / S), uint(96 / S), column);
  coopMatStore(m, tile, uint(64 / S), uint(64 / S), column);
  coopMatLoad(m, tile, uint(64 / S), uint(64 / S), column);
  coopMatStore(m, staged, uint(32 / S), uint(96 / S), row);
}
