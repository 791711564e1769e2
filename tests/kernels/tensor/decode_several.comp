#version 450
// Several loads with the same decode functions, whose code may be there once: on both sides of a
// branch, in a loop, and with blocks of another length, which is another code.
//! each HOLDER SCOPE LANES HELD = subgroup gl_ScopeSubgroup 32 0 | workgroup gl_ScopeWorkgroup 128 128
//! each OFFSET FIRST = 4 0 | 3 1 | 40 0
//! require bufferDeviceAddress shaderFloat16 storageBuffer16BitAccess storageBuffer8BitAccess
//! require cooperativeMatrixTensorAddressing cooperativeMatrixBlockLoads
//! require cooperativeMatrixDecodeVector
//! require cooperativeMatrixWorkgroupScope cooperativeMatrixFlexibleDimensions
//! require matrix_type 32 32 A f16 invocations $(HELD)
//! subgroup 32 full
//! buffer blocks u8[2048] binding 0 = random(0, 255, 1)
//! push u32 $(OFFSET), u32 $(FIRST)
//! buffer loaded f16[4096] binding 1
//! dispatch 1
//! expect loaded[0..1024] = i%32 + $(OFFSET) >= 64 ? 0
//!+ : ((blocks[(i/32 + $(FIRST)) * 32 + (i%32 + $(OFFSET)) / 2] >> (i%32 + $(OFFSET)) % 2 * 4) & 15) - 8
//! expect loaded[1024..2048] = n%32 >= 64 ? 0
//!+ : ((blocks[(n/32 + 2) * 32 + (n%32) / 2] >> (n%32) % 2 * 4) & 15) - 8
//! expect loaded[2048..3072] = n%32 + 16 >= 64 ? 0
//!+ : ((blocks[(n/32 + 10) * 32 + (n%32 + 16) / 2] >> (n%32 + 16) % 2 * 4) & 15) - 8
//! expect loaded[3072..4096] = ((blocks[n/32 * 64 + n%32/8 * 8 + n%8/2] >> n % 2 * 4) & 15) - 8
#extension GL_KHR_cooperative_matrix : enable
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_NV_cooperative_matrix2 : enable
#extension GL_NV_cooperative_matrix_decode_vector : enable
#extension GL_EXT_buffer_reference : enable
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_8bit_storage : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = LANES) in;
layout(binding = 0) readonly buffer Blocks { uint8_t blocks[]; };
layout(binding = 1) buffer Loaded { float16_t loaded[]; };
layout(push_constant) uniform Slice { int offset, row; };
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
  l = setTensorLayoutDimensionNV(l, 48, 64);
  coopmat<float16_t, SCOPE, 32, 32, gl_MatrixUseA> m;
  if (row == 0) {
    coopMatLoadTensorNV(m, blocks, 0, sliceTensorLayoutNV(l, 0, 32, offset, 32), decode, decodeFour);
  } else {
    coopMatLoadTensorNV(m, blocks, 0, sliceTensorLayoutNV(l, row, 32, offset, 32), decode, decodeFour);
  }
  coopMatStore(m, loaded, 0, 32, gl_CooperativeMatrixLayoutRowMajor);
  for (int turn = 0; turn < 2; ++turn) {
    const tensorLayoutNV<2, mode> part = sliceTensorLayoutNV(l, 2 + 8 * turn, 32, 16 * turn, 32);
    coopMatLoadTensorNV(m, blocks, 0, part, decode, decodeFour);
    coopMatStore(m, loaded, 1024 + 1024 * turn, 32, gl_CooperativeMatrixLayoutRowMajor);
  }
  l = setTensorLayoutBlockSizeNV(l, 1, 8);
  l = setTensorLayoutDimensionNV(l, 32, 64);
  coopMatLoadTensorNV(m, blocks, 0, sliceTensorLayoutNV(l, 0, 32, 0, 32), decode, decodeFour);
  coopMatStore(m, loaded, 3072, 32, gl_CooperativeMatrixLayoutRowMajor);
}
