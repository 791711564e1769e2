#version 450
// Decode functions that break a rule once the module is specialized, and what is decoded elsewhere than
// in a buffer.
//! each WRONG FIRST SECOND = dimensions 1 4 | components 2 3 | memory 2 4
//! require cooperativeMatrixDecodeVector bufferDeviceAddress longVector
//! require matrix 16 16 16 f32 f32 f32 f32
//! require cooperativeMatrixTensorAddressing cooperativeMatrixBlockLoads
//! define WRONG_$(WRONG)
//! spec 0 = u32 $(FIRST)
//! spec 1 = u32 $(SECOND)
//! subgroup 32 full
//! buffer data f32[256] binding 0
//! refuse "OpCooperativeMatrixLoadTensorNV .*(arrays of 2 integers of 32 bits|returns 2, 4 or 8 components|lies in StorageBuffer or PhysicalStorageBuffer)"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_NV_cooperative_matrix_decode_vector : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_long_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const int dimensions = 2;
layout(constant_id = 1) const int components = 4;
layout(binding = 0) buffer Data { float data[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Block { float number; };
shared float staged[256];

float decode(const in Block b, const in uint32_t at[dimensions], const in uint32_t within[dimensions]) {
  return b.number;
}
vector<float, components> decodeGroup(const in Block b, const in uint32_t at[dimensions],
                                      const in uint32_t within[dimensions]) {
  return vector<float, components>(b.number);
}

void main() {
  tensorLayoutNV<2> l = createTensorLayoutNV(2);
  l = setTensorLayoutDimensionNV(l, 16, 16);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
#if defined(WRONG_memory)
  staged[gl_LocalInvocationIndex] = 1;
  coopMatLoadTensorNV(m, staged, 0, l, decode);
#elif defined(WRONG_components)
  coopMatLoadTensorNV(m, data, 0, l, decode, decodeGroup);
#else
  coopMatLoadTensorNV(m, data, 0, l, decode);
#endif
  coopMatStore(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
