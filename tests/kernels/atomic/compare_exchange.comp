#version 450
// Loops around a compare-exchange, in divergent code and by many workgroups: each invocation gets
// its turn. The same with 64 bits, and in shared memory.
//! each TYPE = u32 | u64
//! each PLACE INDEX = one 0 | own (i%7)
//! require shaderInt64 shaderBufferInt64Atomics shaderSharedInt64Atomics
//! buffer totals $(TYPE)[7] binding 0 = 100
//! buffer local $(TYPE)[70] binding 1
//! dispatch 10
//! expect totals = 100 + sum(i, 0, 640, $(INDEX) == n && i % 64 != 9 ? 1 + i % 11 : 0)
//! expect local = sum(m, 0, 64, (i / 7 * 64 + m) % 7 == i % 7 ? m : 0)
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
#define u32 uint32_t
#define u64 uint64_t
layout(binding = 0) buffer Totals { TYPE totals[]; };
layout(binding = 1) writeonly buffer Local { TYPE local[]; };
shared TYPE sums[7];

void main() {
  uint i = gl_GlobalInvocationID.x, m = gl_LocalInvocationID.x;
  if (m < 7) sums[m] = TYPE(0);
  barrier();
  if (m != 9) {
    TYPE old = totals[INDEX], assumed;
    do {
      assumed = old;
      old = atomicCompSwap(totals[INDEX], assumed, assumed + TYPE(1 + i % 11));
    } while (old != assumed);
  }
  TYPE old = TYPE(0), assumed;
  do {
    assumed = old;
    old = atomicCompSwap(sums[i % 7], assumed, assumed + TYPE(m));
  } while (old != assumed);
  barrier();
  if (m < 7) local[gl_WorkGroupID.x * 7 + m] = sums[m];
}
