#version 450
// Murmur3's 32-bit hash of keys of 4 words; the words of a key lie apart.
//! each SPELLING INT FORM GROUPS = for uint 0 256 | int int 0 256 | while uint 1 256 | named uint 2 256 | stride uint 3 32
//! buffer keys u32[4 << 16] binding 0 = random(0, 4294967295, 1)
//! buffer hashes u32[1 << 16] binding 1
//! push u32 1 << 16, u32 42
//! dispatch $(GROUPS)
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Keys { uint keys[]; };
layout(binding = 1) writeonly buffer Hashes { uint hashes[]; };
layout(push_constant) uniform Push { uint count, seed; };

uint turned(uint x, int n) { return x << n | x >> 32 - n; }

uint mixed(uint hash, uint word) {
  hash ^= turned(word * 0xcc9e2d51u, 15) * 0x1b873593u;
  return turned(hash, 13) * 5 + 0xe6546b64u;
}

uint hashOf(INT i, INT n) {
  uint hash = seed;
#if FORM == 1
  INT k = 0;
  while (k < 4) {
    hash = mixed(hash, keys[k * n + i]);
    ++k;
  }
#elif FORM == 2
  const uint a = keys[i], b = keys[n + i], c = keys[2 * n + i], d = keys[3 * n + i];
  hash = mixed(mixed(mixed(mixed(hash, a), b), c), d);
#else
  for (INT k = 0; k < 4; ++k) hash = mixed(hash, keys[k * n + i]);
#endif
  hash ^= 16;
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

void main() {
  const INT n = INT(count);
  INT i = INT(gl_GlobalInvocationID.x);
#if FORM == 3
  for (; i < n; i += INT(gl_NumWorkGroups.x * 256)) hashes[i] = hashOf(i, n);
#else
  if (i < n) hashes[i] = hashOf(i, n);
#endif
}
