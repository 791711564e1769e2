#version 450
// What operations give back: each invocation sees what another left, or the first value.
//! each MEMORY = BUFFER | WORKGROUP
//! each PLACE INDEX COUNT = one 0 1 | own (i%3) 3
//! buffer data s32[640] binding 0 = random(-1000, 1000, 1)
//! buffer state s32[12] binding 1 = 5000
//! buffer seen s32[2560] binding 2
//! dispatch 1
//! expect state = @state[i]
//! expect seen = @seen[i]
// Exchanged values are seen once each, but for the last, which stays.
//! check sum(i, 0, 640, @seen[i]) + sum(k, 0, $(COUNT), @state[k])
//!+   == sum(i, 0, 640, data[i]) + 5000 * $(COUNT)
// A minimum falls from the first value to the last; the value seen is never below what is left.
//! check greatest(i, 0, 640, @seen[640 + i]) == 5000
//! check least(i, 0, 640, @seen[640 + i]) >= least(k, 0, $(COUNT), @state[3 + k])
//! check product(i, 0, 640, min(@seen[640 + i], data[i]) >= @state[3 + $(INDEX)])
//! check least(k, 0, $(COUNT), @state[3 + k]) == least(i, 0, 640, data[i])
// Bits that are set stay set, and each invocation sees one of the values between.
//! check product(i, 0, 640, (@seen[1280 + i] & 5000) == 5000)
//! check product(i, 0, 640, ((@seen[1280 + i] | data[i]) & ~@state[6 + $(INDEX)]) == 0)
// Sums: the least and the greatest are apart by all the others.
//! check least(i, 0, 640, @seen[1920 + i]) == 5000
//! check sum(k, 0, $(COUNT), @state[9 + k]) == 5000 * $(COUNT) + 640 * 3
//! check product(i, 0, 640, (@seen[1920 + i] - 5000) % 3 == 0)
//! check sum(i, 0, 640, @seen[1920 + i] - 5000)
//!+   == sum(k, 0, $(COUNT), sum(m, 0, (@state[9 + k] - 5000) / 3, 3 * m))
layout(local_size_x = 640) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) buffer State { int state[]; };
layout(binding = 2) writeonly buffer Seen { int seen[]; };
shared int stage[12];
#define BUFFER 0
#define WORKGROUP 1
#if MEMORY == BUFFER
#define TARGET(k) state[k]
#else
#define TARGET(k) stage[k]
#endif

void main() {
  uint i = gl_LocalInvocationID.x;
  if (i < 12) stage[i] = 5000;
  barrier();
  uint k = INDEX;
  seen[i] = atomicExchange(TARGET(k), data[i]);
  seen[640 + i] = atomicMin(TARGET(3 + k), data[i]);
  seen[1280 + i] = atomicOr(TARGET(6 + k), data[i]);
  seen[1920 + i] = atomicAdd(TARGET(9 + k), 3);
  barrier();
  if (MEMORY == WORKGROUP && i < 12) state[i] = stage[i];
}
