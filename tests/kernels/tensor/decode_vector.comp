#version 450
// A function that decodes four elements at once stands beside the one for single elements. Which of
// them is called must not be seen: by rows and by columns, with slices of whole groups, slices that
// cut groups, and slices that end outside.
//! each VIEW ROW COLUMN = rows i/16 i%16 | columns i%16 i/16
//! each SLICE OFFSET = whole 4 | cut 3 | end 20
//! define BY_$(VIEW)
//! require bufferDeviceAddress shaderFloat16 storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! require cooperativeMatrixTensorAddressing cooperativeMatrixBlockLoads
//! require cooperativeMatrixDecodeVector
//! subgroup 32 full
//! buffer blocks u8[256] binding 0 = random(0, 255, 1)
//! push u32 $(OFFSET)
//! buffer loaded f16[256] binding 1
//! dispatch 1
//! expect loaded = $(ROW) + 3 >= 16 || $(COLUMN) + $(OFFSET) >= 32 ? 0
//!+ : ((blocks[($(ROW) + 3) * 16 + ($(COLUMN) + $(OFFSET)) / 2] >> ($(COLUMN) + $(OFFSET)) % 2 * 4) & 15) - 8
#extension GL_KHR_cooperative_matrix : enable
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_NV_cooperative_matrix2 : enable
#extension GL_NV_cooperative_matrix_decode_vector : enable
#extension GL_EXT_buffer_reference : enable
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_8bit_storage : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Blocks { uint8_t blocks[]; };
layout(binding = 1) buffer Loaded { float16_t loaded[]; };
layout(push_constant) uniform Slice { int offset; };
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer Block {
  uint8_t pairs[8];
};
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer BlockWords {
  uint16_t quads[4];
};

float16_t decode(const in Block block, const in uint32_t coordinates[2], const in uint32_t within[2]) {
  const uint pair = uint(block.pairs[within[1] / 2]);
  return float16_t(int(pair >> within[1] % 2 * 4 & 15u) - 8);
}

f16vec4 decodeFour(const in BlockWords block, const in uint32_t coordinates[2],
                   const in uint32_t within[2]) {
  const uint quad = uint(block.quads[within[1] / 4]);
  return f16vec4(ivec4(quad & 15u, quad >> 4 & 15u, quad >> 8 & 15u, quad >> 12) - 8);
}

void main() {
  const int mode = gl_CooperativeMatrixClampModeConstantNV;
  tensorLayoutNV<2, mode> l = createTensorLayoutNV(2, mode);
  l = setTensorLayoutBlockSizeNV(l, 1, 16);
  l = setTensorLayoutDimensionNV(l, 16, 32);
  l = sliceTensorLayoutNV(l, 3, 16, offset, 16);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
#ifdef BY_columns
  tensorViewNV<2, false, 1, 0> v = createTensorViewNV(2, false, 1, 0);
  coopMatLoadTensorNV(m, blocks, 0, l, v, decode, decodeFour);
#else
  coopMatLoadTensorNV(m, blocks, 0, l, decode, decodeFour);
#endif
  coopMatStore(m, loaded, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
