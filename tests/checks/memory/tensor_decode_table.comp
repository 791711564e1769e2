#version 450
// A decode function that looks numbers up in a table, which lacks the last.
//! debug lines
//! each BUG = 1 | 0
//! require cooperativeMatrixTensorAddressing cooperativeMatrixBlockLoads bufferDeviceAddress
//! require matrix_type 8 8 A f16
//! require shaderFloat16 storageBuffer16BitAccess
//! setting check memory
//! subgroup 32 full
//! buffer codes u16[64] binding 0 = i % 16
//! buffer table f32[16 - $(BUG)] binding 1 = 100 + i
//! buffer results f16[64] binding 2
//! dispatch 1
//! finding memory buffer-bounds times $(BUG) "load"
//! expect results = i % 16 == 15 && $(BUG) ? 0 : 100 + i % 16
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Codes { uint16_t codes[]; };
layout(binding = 1) readonly buffer Table { float table[]; };
layout(binding = 2) writeonly buffer Results { float16_t results[]; };
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer Code { uint16_t code; };

float16_t decode(const in Code c, const in uint32_t at[2], const in uint32_t within[2]) {
  return float16_t(table[uint(c.code)]);  // finding
}

void main() {
  tensorLayoutNV<2> l = createTensorLayoutNV(2);
  l = setTensorLayoutDimensionNV(l, 8, 8);
  l = sliceTensorLayoutNV(l, 0, 8, 0, 8);
  coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> m;
  coopMatLoadTensorNV(m, codes, 0, l, decode);
  coopMatStore(m, results, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
}
