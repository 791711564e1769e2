#version 450
// CRC-32 by a table of 256 words, of a message of 64 words an invocation; the words lie apart.
//! each SPELLING INT FORM = buffer uint 0 | int int 0 | while uint 1 | shared uint 2
//! buffer messages u32[64 * 2048] binding 0 = random(0, 4294967295, 1)
//! buffer table u32[256] binding 1 = random(0, 4294967295, 2)
//! buffer sums u32[2048] binding 2
//! push u32 2048
//! dispatch 8
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Messages { uint messages[]; };
layout(binding = 1) readonly buffer Table { uint table[]; };
layout(binding = 2) writeonly buffer Sums { uint sums[]; };
layout(push_constant) uniform Push { uint count; };
shared uint near_table[256];

uint entry(uint place) {
#if FORM == 2
  return near_table[place];
#else
  return table[place];
#endif
}

void main() {
  const INT n = INT(count), me = INT(gl_GlobalInvocationID.x);
#if FORM == 2
  near_table[gl_LocalInvocationIndex] = table[gl_LocalInvocationIndex];
  barrier();
#endif
  uint crc = ~0u;
#if FORM == 1
  INT t = 0;
  while (t < 64) {
    uint word = messages[t * n + me];
    INT b = 0;
    do {
      crc = crc >> 8 ^ entry((crc ^ word) & 255);
      word >>= 8;
    } while (++b < 4);
    ++t;
  }
#else
  for (INT t = 0; t < 64; ++t) {
    uint word = messages[t * n + me];
    for (INT b = 0; b < 4; ++b, word >>= 8) crc = crc >> 8 ^ entry((crc ^ word) & 255);
  }
#endif
  sums[me] = ~crc;
}
