#version 450
// Indices out of bounds into Workgroup memory: reads give 0, writes are dropped, and what lies before
// and behind the variable stays as it is. Indices that are the same for all, that vary, that are
// constants, before the start, just behind the end and far away; what stays inside of the whole
// variable is in bounds, whichever dimension it exceeds.
//! each NAME FAR = near 65 | far 0x10000000 | before -1 | wraps 0x7fffffff
//! robust
//! tolerated
//! buffer results u32[224] binding 0
//! push s32 $(FAR), s32 64
//! spec 0 = u32 $(FAR)
//! dispatch 1
//! expect results[0..32] = 0
//! expect results[32..64] = n % 2 == 1 ? 0 : 300 + n
//! expect results[64..96] = 0
//! expect results[96..128] = n % 4 == 3 ? 0 : 302 + n
//! expect results[128..160] = n < 16 ? 100 + n : 200 + n
//! expect results[160..192] = 320
//! expect results[192..224] = 0
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { int far, count; };
layout(constant_id = 0) const int constant = 0;
shared uint before[16];
shared uint middle[64];
shared uint nested[4][16];
shared uvec4 vectors[16];
shared uint behind[16];

void main() {
  const int i = int(gl_LocalInvocationIndex);
  const int away = far < 0 ? far - i : far + i;
  if (i < 16) {
    before[i] = 100 + i;
    behind[i] = 216 + i;
    vectors[i] = uvec4(300) + 4 * i + uvec4(0, 1, 2, 3);
  }
  middle[i] = 300 + i;
  middle[i + 32] = 332 + i;
  nested[i / 16][i % 16] = 300 + i;
  nested[i / 16 + 2][i % 16] = 332 + i;
  barrier();
  results[i] = middle[far];
  results[32 + i] = middle[i % 2 == 1 ? away : i];
  middle[far] = 1;
  middle[away] = 2;
  middle[constant] = 3;
  nested[far][i % 16] = 4;
  vectors[far] = uvec4(5);
  vectors[far][i % 4] = 6;
  barrier();
  results[64 + i] = middle[constant] + nested[far][i % 16] + vectors[far].z + vectors[far][i % 4];
  // A component behind the vector's last one is the next vector's first.
  results[96 + i] = i % 4 == 3 ? vectors[15][count + i] : vectors[0][i + 2];
  results[128 + i] = i < 16 ? before[i] : behind[i - 16];
  // What these give is undefined.
  atomicAdd(middle[far], 7);
  atomicMax(middle[away], 8);
  atomicCompSwap(middle[constant], 0, 9);
  atomicExchange(nested[far][i % 16], 10);
  // In bounds of the whole.
  results[160 + i] = nested[0][count - 44];
  barrier();
  uint changed = 0;
  for (int k = 0; k < 64; ++k)
    changed += uint(middle[k] != 300 + k) + uint(nested[0][k] != 300 + k) +
               uint(vectors[k / 4][k % 4] != 300 + k);
  results[192 + i] = changed;
}
