#version 450
// The place of the greatest element of each of many short rows, an invocation a row; elements of a
// row lie far apart.
//! each SPELLING INT FORM = if uint 0 | int int 0 | select uint 1 | while uint 2
//! buffer x f32[64 * 8192] binding 0 = random(-1.0, 1.0, 1)
//! buffer places u32[8192] binding 1
//! push u32 8192
//! dispatch 128
//! peer
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Places { uint places[]; };
layout(push_constant) uniform Push { uint rows; };

void main() {
  const INT n = INT(rows), row = INT(gl_GlobalInvocationID.x);
  if (row >= n) return;
  float most = x[row];
  INT place = 0;
#if FORM == 2
  INT i = 1;
  while (i < 64) {
    if (x[i * n + row] > most) {
      most = x[i * n + row];
      place = i;
    }
    ++i;
  }
#else
  for (INT i = 1; i < 64; ++i) {
    const float value = x[i * n + row];
#if FORM == 1
    place = value > most ? i : place;
    most = value > most ? value : most;
#else
    if (value > most) {
      most = value;
      place = i;
    }
#endif
  }
#endif
  places[row] = uint(place);
}
