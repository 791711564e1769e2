#version 450
// Edit distances of words of 16 letters to one, a word an invocation; the letters of a word lie apart.
//! each SPELLING INT FORM = min uint 0 | int int 0 | if uint 1 | while uint 2
//! buffer pattern u32[16] binding 0 = random(0, 3, 1)
//! buffer letters u32[16 * 4096] binding 1 = random(0, 3, 2)
//! buffer distances u32[4096] binding 2
//! push u32 4096
//! dispatch 64
//! peer
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Pattern { uint pattern[]; };
layout(binding = 1) readonly buffer Letters { uint letters[]; };
layout(binding = 2) writeonly buffer Distances { uint distances[]; };
layout(push_constant) uniform Push { uint count; };

void main() {
  const INT n = INT(count), me = INT(gl_GlobalInvocationID.x);
  uint row[17];
  for (INT k = 0; k <= 16; ++k) row[k] = uint(k);
#if FORM == 2
  INT j = 0;
  while (j < 16) {
#else
  for (INT j = 0; j < 16; ++j) {
#endif
    const uint letter = letters[j * n + me];
    uint corner = row[0];
    row[0] = uint(j) + 1;
    for (INT k = 1; k <= 16; ++k) {
      const uint replaced = corner + (pattern[k - 1] == letter ? 0 : 1);
      corner = row[k];
#if FORM == 1
      uint least = replaced;
      if (row[k] + 1 < least) least = row[k] + 1;
      if (row[k - 1] + 1 < least) least = row[k - 1] + 1;
      row[k] = least;
#else
      row[k] = min(replaced, min(row[k], row[k - 1]) + 1);
#endif
    }
#if FORM == 2
    ++j;
#endif
  }
  distances[me] = row[16];
}
