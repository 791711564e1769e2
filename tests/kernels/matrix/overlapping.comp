#version 450
// A matrix is loaded and stored unchanged where memory overlaps: what is stored is what there was
// before. In one buffer, also by two bindings, by addresses and in shared memory; to higher and
// lower addresses, to wider lines, and turned.
//! each MEMORY = buffer | bindings | addresses | shared
//! each TYPE T = f32 float | f16 float16_t | s8 int8_t
//! each WAY OUT S FROM TO = down 144 16 row row | up 112 16 row row | right 136 16 row row
//!+ | wider 128 24 row row | same 128 16 row row | columns 160 16 column column
//!+ | turned 144 16 row column | turned_back 112 24 column row
//! define MEMORY_$(MEMORY)
//! require cooperativeMatrix shaderFloat16 shaderInt8 storageBuffer16BitAccess
//! require storageBuffer8BitAccess bufferDeviceAddress
//! require matrix_type 16 16 A $(TYPE)
//! subgroup 32 full
//! buffer data $(TYPE)[640] binding 0 = random(-100, 100, 1)
//! push u64 &data
//! dispatch 1
//! buffer straight u32[640] = i < $(OUT) || i >= $(OUT) + 16 * $(S) || (i - $(OUT)) % $(S) >= 16
//!+ ? i : 128 + (i - $(OUT)) / $(S) * 16 + (i - $(OUT)) % $(S)
//! buffer turned u32[640] = i < $(OUT) || i >= $(OUT) + 16 * $(S) || (i - $(OUT)) % $(S) >= 16
//!+ ? i : 128 + (i - $(OUT)) % $(S) * 16 + (i - $(OUT)) / $(S)
//! buffer row_row u32[640] = straight[i]
//! buffer column_column u32[640] = straight[i]
//! buffer row_column u32[640] = turned[i]
//! buffer column_row u32[640] = turned[i]
//! expect data = data[$(FROM)_$(TO)[i]]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { T data[]; };
layout(binding = 0) buffer Again { T again[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Address { T data[]; };
layout(push_constant) uniform Push { Address address; };
shared T numbers[640];
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

#if defined(MEMORY_buffer)
#define SOURCE data
#define TARGET data
#elif defined(MEMORY_bindings)
#define SOURCE data
#define TARGET again
#elif defined(MEMORY_addresses)
#define SOURCE address.data
#define TARGET data
#else
#define SOURCE numbers
#define TARGET numbers
#endif

void main() {
  for (uint i = gl_LocalInvocationIndex; i < 640; i += 32) numbers[i] = data[i];
  barrier();
  coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
  coopMatLoad(m, SOURCE, 128, 16, FROM);
  controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup,
                 gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  coopMatStore(m, TARGET, OUT, S, TO);
#if defined(MEMORY_shared)
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < 640; i += 32) data[i] = numbers[i];
#endif
}
