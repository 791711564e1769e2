#version 450
// Counts of bytes: of each workgroup in shared memory, then added to those of all.
//! each SPELLING INT FORM = loop uint 0 | int int 0 | while uint 1 | unpack uint 2
//! buffer words u32[1 << 18] binding 0 = random(0, 4294967295, 1)
//! buffer counts u32[256] binding 1 = 0
//! push u32 1 << 18
//! dispatch 64
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Words { uint words[]; };
layout(binding = 1) buffer Counts { uint counts[]; };
layout(push_constant) uniform Push { uint size; };
shared uint local_counts[256];

void main() {
  const INT lane = INT(gl_LocalInvocationIndex), n = INT(size);
  local_counts[lane] = 0;
  barrier();
#if FORM == 1
  INT i = INT(gl_GlobalInvocationID.x);
  while (i < n) {
    uint word = words[i];
    for (int b = 0; b < 4; ++b, word >>= 8) atomicAdd(local_counts[word & 255u], 1);
    i += 64 * 256;
  }
#else
  for (INT i = INT(gl_GlobalInvocationID.x); i < n; i += 64 * 256) {
    const uint word = words[i];
#if FORM == 2
    atomicAdd(local_counts[bitfieldExtract(word, 0, 8)], 1);
    atomicAdd(local_counts[bitfieldExtract(word, 8, 8)], 1);
    atomicAdd(local_counts[bitfieldExtract(word, 16, 8)], 1);
    atomicAdd(local_counts[bitfieldExtract(word, 24, 8)], 1);
#else
    atomicAdd(local_counts[word & 255u], 1);
    atomicAdd(local_counts[word >> 8 & 255u], 1);
    atomicAdd(local_counts[word >> 16 & 255u], 1);
    atomicAdd(local_counts[word >> 24], 1);
#endif
  }
#endif
  barrier();
  atomicAdd(counts[lane], local_counts[lane]);
}
