#version 450
// What a function that decodes several elements is called with: the block, the coordinates of the
// group's first element, which is a multiple of the group's size in its block. A block whose size is
// none has no groups. Of 2, 4 and 8 components; layouts of one to three dimensions.
//! each V VECTOR = 2 f16vec2 | 4 f16vec4 | 8 vector<float16_t,8>
//! each LAYOUT DIMENSIONS BLOCK = line 1 16 | rows 2 8 | odd 2 7 | volume 3 8
//! define LAYOUT_$(LAYOUT)
//! require cooperativeMatrixDecodeVector cooperativeMatrixBlockLoads cooperativeMatrixTensorAddressing
//! require bufferDeviceAddress shaderFloat16 storageBuffer16BitAccess longVector
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer numbers u32[256] binding 0 = i
//! buffer loaded f16[256] binding 1
//! dispatch 1
#extension GL_KHR_cooperative_matrix : enable
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_NV_cooperative_matrix2 : enable
#extension GL_NV_cooperative_matrix_decode_vector : enable
#extension GL_EXT_buffer_reference : enable
#extension GL_EXT_long_vector : enable
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Numbers { uint numbers[]; };
layout(binding = 1) writeonly buffer Loaded { float16_t loaded[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Block { uint number; };
#define COORDINATES const in uint32_t at[DIMENSIONS], const in uint32_t within[DIMENSIONS]
const int last = DIMENSIONS - 1;

// A number of the block's and the place in it; -1 from calls that the specification rules out.
float16_t decode(const in Block block, COORDINATES) {
  return float16_t(block.number % 64 * 16 + within[last]);
}

VECTOR decodeGroup(const in Block block, COORDINATES) {
  VECTOR group;
  const bool wrong = within[last] % V != 0 || within[last] + V > BLOCK || at[last] > 255;
  for (uint i = 0; i < V; ++i)
    group[i] = wrong ? float16_t(-1) : float16_t(block.number % 64 * 16 + within[last] + i);
  return group;
}

void main() {
  tensorLayoutNV<DIMENSIONS> l = createTensorLayoutNV(DIMENSIONS);
#if defined(LAYOUT_line)
  l = setTensorLayoutBlockSizeNV(l, BLOCK);
  l = setTensorLayoutDimensionNV(l, 256);
#elif defined(LAYOUT_volume)
  l = setTensorLayoutBlockSizeNV(l, 1, 1, BLOCK);
  l = setTensorLayoutDimensionNV(l, 2, 8, 16);
#else
  l = setTensorLayoutBlockSizeNV(l, 1, BLOCK);
  l = setTensorLayoutDimensionNV(l, 16, 16);
#endif
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
  coopMatLoadTensorNV(m, numbers, 0, l, decode, decodeGroup);
  coopMatStore(m, loaded, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
//! expect loaded = (i / 16 * ((15 + $(BLOCK)) / $(BLOCK)) + i % 16 / $(BLOCK)) % 64 * 16 + i % 16 % $(BLOCK)
