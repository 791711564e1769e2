#version 450
// Slices of one tensor overlap: what is stored is what the load found, in plain rows, turned by a
// view, and where the slice that is stored to reaches beyond the tensor's edge.
//! each MEMORY = buffer | address | shared
//! each TYPE T = f32 float | u8 uint8_t
//! each WAY OUT = down 8 | right 5 | edge 20
//! each VIEW = straight | turned
//! define MEMORY_$(MEMORY)
//! define VIEW_$(VIEW)
//! require cooperativeMatrixTensorAddressing bufferDeviceAddress shaderInt8 storageBuffer8BitAccess
//! require matrix_type 16 16 Accumulator $(TYPE)
//! subgroup 32 full
//! buffer data $(TYPE)[1024] binding 0 = random(0, 100, 1)
//! push u64 &data
//! dispatch 1
//! buffer line s32[1024] = i / 32 - $(OUT)
//! buffer within s32[1024] = i % 32 - $(OUT) / 4
//! buffer straight s32[1024] = (4 + line[i]) * 32 + 4 + within[i]
//! buffer turned s32[1024] = (4 + within[i]) * 32 + 4 + line[i]
//! expect data = line[i] >= 0 && line[i] < 16 && within[i] >= 0 && within[i] < 16
//!+ ? data[$(VIEW)[i]] : data[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { T data[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Address { T data[]; };
layout(push_constant) uniform Push { Address address; };
shared T numbers[1024];
#if defined(MEMORY_buffer)
#define PLACE data
#elif defined(MEMORY_address)
#define PLACE address.data
#else
#define PLACE numbers
#endif

void main() {
  for (uint i = gl_LocalInvocationIndex; i < 1024; i += 32) numbers[i] = data[i];
  barrier();
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> all =
      createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
  all = setTensorLayoutDimensionNV(all, 32, 32);
  tensorViewNV<2, false, 1, 0> transposed = createTensorViewNV(2, false, 1, 0);
  coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoadTensorNV(m, PLACE, 0, sliceTensorLayoutNV(all, 4, 16, 4, 16));
  controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup,
                 gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
#if defined(VIEW_turned)
  coopMatStoreTensorNV(m, PLACE, 0, sliceTensorLayoutNV(all, OUT, 16, OUT / 4, 16), transposed);
#else
  coopMatStoreTensorNV(m, PLACE, 0, sliceTensorLayoutNV(all, OUT, 16, OUT / 4, 16));
#endif
#if defined(MEMORY_shared)
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < 1024; i += 32) data[i] = numbers[i];
#endif
}
