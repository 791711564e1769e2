#version 450
// Private and Function arrays: initializers, indices that differ between invocations.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer order u32[64] binding 0 = random(0, 7, 1)
//! buffer results s32[192] binding 1
//! dispatch 1
//! expect results[0..64] = order[n] * order[n] - 3
//! expect results[64..128] = order[n] == order[63 - n] ? 500 : 100 + order[63 - n]
//! expect results[128..192] = order[n] == n % 8 ? 1 : 0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Order { uint order[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };

const int kTable[8] = {-3, -2, 1, 6, 13, 22, 33, 46};
int global_array[8];

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = kTable[order[i]];
  for (int k = 0; k < 8; ++k) global_array[k] = 100 + k;
  global_array[order[i]] = 500;
  results[i + 64] = global_array[order[63 - i]];
  int local[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  local[order[i]]++;
  results[i + 128] = local[i % 8];
}
