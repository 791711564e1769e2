#version 450
// Every operation on integers at one address, by many workgroups, with the result dropped; the
// operand the same for all invocations or not, and some of them switched off.
//! each TYPE WIDE = u32 0 | s32 0 | u64 1 | s64 1
//! each LIVE CONDITION = all (i>=0) | divergent (i%5<3)
//! require shaderInt64 shaderBufferInt64Atomics
//! buffer data $(TYPE)[1000] binding 0 = random(-9000000000, 9000000000, 1)
//! buffer results $(TYPE)[10] binding 1 = { 7, 7, 0, 0, -1, -1, 0, 0, 12, 12 }
//! dispatch 10
//! expect results[0] = 7 + sum(i, 0, 1000, $(CONDITION) ? data[i] : 0)
//! expect results[1] = 7 + sum(i, 0, 1000, $(CONDITION) ? 3 : 0)
//! expect results[2] = least(i, 0, 1000, min(0, $(CONDITION) ? data[i] : 0))
//! expect results[3] = greatest(i, 0, 1000, max(0, $(CONDITION) ? data[i] : 0))
//! expect results[4] = all_bits(i, 0, 1000, $(CONDITION) ? data[i] | 0xff0ff : -1)
//! expect results[5] = -1 & ~16
//! expect results[6] = any_bits(i, 0, 1000, $(CONDITION) ? data[i] & 0xff0ff : 0)
//! expect results[7] = xor_bits(i, 0, 1000, $(CONDITION) ? data[i] : 0)
//! expect results[8] = 12 ^ xor_bits(i, 0, 1000, $(CONDITION) ? 6 : 0)
//! expect results[9] = 6
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 100) in;
#define u32 uint32_t
#define s32 int32_t
#define u64 uint64_t
#define s64 int64_t
layout(binding = 0) readonly buffer Data { TYPE data[]; };
layout(binding = 1) buffer Results { TYPE results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  TYPE value = data[i];
  if (CONDITION) {
    atomicAdd(results[0], value);
    atomicAdd(results[1], TYPE(3));
    atomicMin(results[2], value);
    atomicMax(results[3], value);
    atomicAnd(results[4], value | TYPE(0xff0ff));
    atomicAnd(results[5], ~TYPE(16));
    atomicOr(results[6], value & TYPE(0xff0ff));
    atomicXor(results[7], value);
    atomicXor(results[8], TYPE(6));
    atomicMin(results[9], TYPE(6));
  }
}
