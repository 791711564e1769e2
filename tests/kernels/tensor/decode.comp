#version 450
// Blocks of sixteen 4-bit numbers with a scale are decoded while they are loaded, from a storage
// buffer and by address; by rows, and by columns through a view. What lies outside of the layout is
// the clamp value.
//! each SOURCE = buffer | address
//! each VIEW ROW COLUMN = rows i/16 i%16 | columns i%16 i/16
//! define FROM_$(SOURCE)
//! define BY_$(VIEW)
//! require bufferDeviceAddress shaderFloat16 storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! require cooperativeMatrixTensorAddressing cooperativeMatrixBlockLoads
//! subgroup 32 full
//! buffer blocks u8[600] binding 0 = random(0, 255, 1)
//! fill blocks.f16[0..300 step 5] = 0.5 * (1 + n % 4)
//! buffer loaded f16[256] binding 1
//! buffer address u64[1] binding 2 = { u64 &blocks }
//! dispatch 1
#extension GL_KHR_cooperative_matrix : enable
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_NV_cooperative_matrix2 : enable
#extension GL_EXT_buffer_reference : enable
#extension GL_EXT_buffer_reference_uvec2 : enable
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_8bit_storage : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Blocks { uint8_t blocks[]; };
layout(binding = 1) buffer Loaded { float16_t loaded[]; };
layout(binding = 2) readonly buffer Address { uvec2 address; };
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer Block {
  float16_t scale;
  uint8_t pairs[8];
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Bytes { uint8_t b[]; };

float16_t decode(const in Block block, const in uint32_t coordinates[2], const in uint32_t within[2]) {
  const uint pair = uint(block.pairs[within[1] / 2]);
  const int number = int(pair >> within[1] % 2 * 4 & 15u) - 8;
  return block.scale * float16_t(number) + float16_t(coordinates[0] * 100 + within[0]);
}

// A slice that begins in the middle of a block, and ends behind the last row.
void main() {
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> l =
      createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
  l = setTensorLayoutBlockSizeNV(l, 1, 16);
  l = setTensorLayoutDimensionNV(l, 20, 48);
  l = setTensorLayoutClampValueNV(l, 0x3400);
  l = sliceTensorLayoutNV(l, 9, 16, 20, 16);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
#ifdef FROM_buffer
#define SOURCE_ARRAY blocks
#else
  Bytes bytes = Bytes(address);
#define SOURCE_ARRAY bytes.b
#endif
#ifdef BY_columns
  tensorViewNV<2, false, 1, 0> v = createTensorViewNV(2, false, 1, 0);
  coopMatLoadTensorNV(m, SOURCE_ARRAY, 0, l, v, decode);
#else
  coopMatLoadTensorNV(m, SOURCE_ARRAY, 0, l, decode);
#endif
  coopMatStore(m, loaded, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
//! expect loaded = $(ROW) + 9 >= 20 ? 0.25 : f16(blocks.f16[(($(ROW) + 9) * 3 + ($(COLUMN) + 20) / 16) * 5]
//!+ * (((blocks[(($(ROW) + 9) * 3 + ($(COLUMN) + 20) / 16) * 10 + 2 + ($(COLUMN) + 20) % 16 / 2]
//!+ >> ($(COLUMN) + 20) % 2 * 4) & 15) - 8) + ($(ROW) + 9) * 100)
