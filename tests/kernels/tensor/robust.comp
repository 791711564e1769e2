#version 450
// Elements inside of the layout, but outside of the buffer: they load as 0, are not stored, and no
// function decodes them. Plain rows, and rows that are copied one by one.
//! require cooperativeMatrixRobustBufferAccess bufferDeviceAddress
//! require matrix 16 16 16 f32 f32 f32 f32
//! require cooperativeMatrixTensorAddressing cooperativeMatrixBlockLoads
//! each WAY STRIDE = plain 16 | apart 17 | general 17
//! define WAY_$(WAY)
//! robust
//! buffer a f32[272] binding 0 range 512 = 1 + i
//! buffer d f32[272] binding 1 range 768 = 5
//! buffer decoded f32[256] binding 2
//! push u32 $(STRIDE)
//! subgroup 32 full
//! dispatch 1
//! expect d = i / $(STRIDE) < 16 && i % $(STRIDE) < 16 && i < 192 ? (i < 128 ? 1 + i : 0) : 5
//! expect decoded = i / 16 * $(STRIDE) + i % 16 < 128 ? 10 * (1 + i / 16 * $(STRIDE) + i % 16) : 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer D { float d[]; };
layout(binding = 2) writeonly buffer Decoded { float decoded[]; };
layout(push_constant) uniform Push { uint stride; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Block { float number; };

float tenfold(const in Block b, const in uint32_t block[2], const in uint32_t within[2]) {
  return 10 * b.number;
}

void main() {
  tensorLayoutNV<2> l = createTensorLayoutNV(2);
  l = setTensorLayoutDimensionNV(l, 16, 16);
  l = setTensorLayoutStrideNV(l, stride, 1);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
#ifndef WAY_general
  coopMatLoadTensorNV(m, a, 0, l);
  coopMatStoreTensorNV(m, d, 0, l);
#else
  tensorViewNV<2, true, 0, 1> v = createTensorViewNV(2, true, 0, 1);
  v = setTensorViewDimensionsNV(v, 4, 64);
  coopMatLoadTensorNV(m, a, 0, l, v);
  coopMatStoreTensorNV(m, d, 0, l, v);
#endif
  coopMatLoadTensorNV(m, a, 0, l, tenfold);
  coopMatStore(m, decoded, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
