#version 450
// A function with returns inside its loop, called from a loop under a condition.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[64] binding 0 = random(1, 200, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = count(k, 2, data[i] + 1, count(d, 2, k, k % d == 0) == 0)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

bool isPrime(uint x) {
  if (x < 2) return false;
  for (uint d = 2; d * d <= x; ++d) {
    if (x % d == 0) return false;
  }
  return true;
}

void main() {
  uint i = gl_GlobalInvocationID.x, count = 0;
  for (uint k = 0; k <= data[i]; ++k) {
    if (k == 2 || (k & 1) != 0 && isPrime(k)) ++count;
  }
  results[i] = count;
}
