#version 450
// A loop whose bound is read from shared memory: the same for all, though no analysis can tell.
//! buffer data u32[64] binding 0 = random(0, 99, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = sum(k, 0, data[7] % 9, data[(i + k) % 64])
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint bound, stage[64];

void main() {
  uint i = gl_LocalInvocationIndex, value = data[i], total = 0;
  if (i == 7) bound = value % 9;
  barrier();
  for (uint k = 0; k < bound; ++k) {
    stage[i] = data[(i + k) % 64];
    barrier();
    total += stage[i];
    barrier();
  }
  results[i] = total;
}
