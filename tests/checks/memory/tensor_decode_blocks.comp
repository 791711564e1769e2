#version 450
// Blocks of four numbers with a scale that a function decodes; the tensor has a block row more than
// the buffer.
//! debug lines
//! each BUG = 1 | 0
//! require cooperativeMatrixTensorAddressing cooperativeMatrixBlockLoads bufferDeviceAddress
//! require matrix_type 8 8 A f16
//! require shaderFloat16 storageBuffer16BitAccess
//! setting check memory
//! subgroup 32 full
//! buffer blocks f16[(16 - 2 * $(BUG)) * 5] binding 0 = i % 5 == 0 ? 2 : i
//! buffer results f16[64] binding 1
//! dispatch 1
//! finding memory tensor-bounds times $(BUG) "load"
//! expect results[0..56] = 2 * (i / 4 * 5 + 1 + i % 4)
//! expect results[56..64] = $(BUG) ? @results[i] : 2 * (i / 4 * 5 + 1 + i % 4)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Blocks { float16_t blocks[]; };
layout(binding = 1) writeonly buffer Results { float16_t results[]; };
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer Block {
  float16_t scale;
  float16_t numbers[4];
};

float16_t decode(const in Block block, const in uint32_t at[2], const in uint32_t within[2]) {
  return block.scale * block.numbers[within[1]];
}

void main() {
  tensorLayoutNV<2> l = createTensorLayoutNV(2);
  l = setTensorLayoutBlockSizeNV(l, 1, 4);
  l = setTensorLayoutDimensionNV(l, 8, 8);
  l = sliceTensorLayoutNV(l, 0, 8, 0, 8);
  coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> m;
  coopMatLoadTensorNV(m, blocks, 0, l, decode);  // finding
  coopMatStore(m, results, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
}
