#version 450
// Pointers that are made in a loop and used after it, when invocations leave it at different times:
// into one buffer, into an array of buffers, and by reference.
//! require shaderStorageBufferArrayNonUniformIndexing
//! buffer b0 u32[64] binding 0 element 0 = 100 + i
//! buffer b1 u32[64] binding 0 element 1 = 200 + i
//! buffer results u32[96] binding 1
//! dispatch 1
//! expect results[0..32] = 100 * (i % 2 + 1) + i * 2
//! expect results[32..64] = 100 + (i - 32) % 7 * 3
//! expect results[64..96] = (i - 64) * (i - 64)
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { uint values[]; } data[2];
layout(binding = 1) writeonly buffer Results { uint results[]; };

uint find(in uint wanted, inout uint table[32]) {
  for (uint k = 0;; ++k) {
    table[k] = k * k;
    if (k == wanted) return table[k];
  }
}

void main() {
  uint i = gl_LocalInvocationIndex;
  uint k = 0;
  while (true) {
    if (k >= i) {
      results[i] = data[nonuniformEXT(k % 2)].values[k * 2];
      break;
    }
    ++k;
  }
  uint last = 0;
  for (uint j = 0; j <= i % 7; ++j) last = data[0].values[j * 3];
  results[32 + i] = last;
  uint table[32];
  results[64 + i] = find(i, table);
}
