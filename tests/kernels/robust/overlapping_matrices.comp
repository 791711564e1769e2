#version 450
// A matrix is stored unchanged over what it was loaded from, by an address or through a buffer
// that ends within it: what lies behind the end is not written, and the rest is what was loaded.
//! each FROM CLIPS = address 0 | buffer 1
//! each WAY OUT TO = down 20 row | up 12 row | turned 20 column
//! define FROM_$(FROM)
//! require cooperativeMatrixRobustBufferAccess bufferDeviceAddress
//! require matrix_type 16 16 Accumulator f32
//! robust
//! buffer data f32[512] binding 0 range 880 = random(-100, 100, 1)
//! push u64 &data
//! subgroup 32 full
//! dispatch 1
//! buffer row u32[512] = i < $(OUT) || i >= $(OUT) + 256 || i >= 220 ? i : 16 + i - $(OUT)
//! buffer column u32[512] = i < $(OUT) || i >= $(OUT) + 256 || i >= 220 ? i
//!+ : 16 + (i - $(OUT)) % 16 * 16 + (i - $(OUT)) / 16
//! expect data = $(CLIPS) && i < 220 && $(TO)[i] >= 220 ? 0 : data[$(TO)[i]]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { float data[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Address { float data[]; };
layout(push_constant) uniform Push { Address address; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
#if defined(FROM_address)
  coopMatLoad(m, address.data, 16, 16, row);
#else
  coopMatLoad(m, data, 16, 16, row);
#endif
  controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
  coopMatStore(m, data, OUT, 16, TO);
}
