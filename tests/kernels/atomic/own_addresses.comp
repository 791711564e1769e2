#version 450
// Every operation on integers at addresses that differ between invocations, each of them shared
// by several: in a buffer, through its address, and in shared memory.
//! each TYPE = u32 | s32 | u64 | s64
//! each LIVE CONDITION = all (i>=0) | divergent (i%5<3)
//! each MEMORY = BUFFER | ADDRESS | WORKGROUP
//! require shaderInt64 shaderBufferInt64Atomics shaderSharedInt64Atomics bufferDeviceAddress
//! buffer data $(TYPE)[960] binding 0 = random(-9000000000, 9000000000, 1)
//! buffer results $(TYPE)[78] binding 1 = 5
//! push u64 &results
//! dispatch 1
//! expect results[0..13] = 5 + sum(i, 0, 960, i % 13 == n && $(CONDITION) ? data[i] : 0)
//! expect results[13..26] = least(i, 0, 960, min(5, i % 13 == n && $(CONDITION) ? data[i] : 5))
//! expect results[26..39] = greatest(i, 0, 960, max(5, i % 13 == n && $(CONDITION) ? data[i] : 5))
//! expect results[39..52] = 5 & all_bits(i, 0, 960, i % 13 == n && $(CONDITION) ? data[i] : -1)
//! expect results[52..65] = 5 | any_bits(i, 0, 960, i % 13 == n && $(CONDITION) ? data[i] : 0)
//! expect results[65..78] = 5 ^ xor_bits(i, 0, 960, i % 13 == n && $(CONDITION) ? data[i] : 0)
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = 960) in;
#define u32 uint32_t
#define s32 int32_t
#define u64 uint64_t
#define s64 int64_t
layout(binding = 0) readonly buffer Data { TYPE data[]; };
layout(binding = 1) buffer Results { TYPE results[]; };
layout(buffer_reference) buffer Reference { TYPE value[]; };
layout(push_constant) uniform Push { Reference reference; };
shared TYPE stage[78];
#define BUFFER 0
#define ADDRESS 1
#define WORKGROUP 2
#if MEMORY == BUFFER
#define TARGET(k) results[k]
#elif MEMORY == ADDRESS
#define TARGET(k) reference.value[k]
#else
#define TARGET(k) stage[k]
#endif

void main() {
  uint i = gl_LocalInvocationID.x;
  if (i < 78) stage[i] = TYPE(5);
  barrier();
  TYPE value = data[i];
  uint k = i % 13;
  if (CONDITION) {
    atomicAdd(TARGET(k), value);
    atomicMin(TARGET(13 + k), value);
    atomicMax(TARGET(26 + k), value);
    atomicAnd(TARGET(39 + k), value);
    atomicOr(TARGET(52 + k), value);
    atomicXor(TARGET(65 + k), value);
  }
  barrier();
  if (MEMORY == WORKGROUP && i < 78) results[i] = stage[i];
}
