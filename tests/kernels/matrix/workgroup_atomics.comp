#version 450
// Atomic operations of a workgroup that holds a matrix, by all of more invocations than a word has
// bits and by some of them: at one address, where old values count up, and at addresses of their own.
//! each SIZE = 64 | 128 | 256 | 1024
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require matrix_type 16 16 Accumulator f16 invocations $(SIZE)
//! buffer matrix f16[256] binding 0 = i
//! buffer sums u32[4] binding 1 = 0
//! buffer old u32[3072] binding 2 = 0
//! buffer own u32[16] binding 3 = 0
//! spec 0 = u32 $(SIZE)
//! subgroup 32 full
//! dispatch 1
//! expect matrix = 2 * i
//! expect sums = { $(SIZE), $(SIZE) * ($(SIZE) - 1) / 2, ($(SIZE) + 2) / 3, $(SIZE) - 1 }
//! expect old[0..$(SIZE)] = i
//! expect old[1024..1024 + $(SIZE)] = n * (n - 1) / 2
//! expect old[2048..2048 + $(SIZE)] = n % 3 == 0 ? n / 3 : 0
//! expect own = $(SIZE) / 16
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x_id = 0) in;
layout(binding = 0) buffer Matrix { float16_t elements[]; };
layout(binding = 1) buffer Sums { uint sums[]; };
layout(binding = 2) writeonly buffer Old { uint old[]; };
layout(binding = 3) buffer Own { uint own[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  const uint i = gl_LocalInvocationIndex;
  coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, elements, 0, 16, row);
  old[i] = atomicAdd(sums[0], 1);
  old[1024 + i] = atomicAdd(sums[1], i);
  if (i % 3 == 0) old[2048 + i] = atomicAdd(sums[2], 1);
  atomicMax(sums[3], i);
  atomicAdd(own[i % 16], 1);
  coopMatStore(m + m, elements, 0, 16, row);
}
