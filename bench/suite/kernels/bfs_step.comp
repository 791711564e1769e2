#version 450
// A step of a breadth-first search: neighbours of the frontier get the next level.
//! each SPELLING INT FORM = if uint 0 | int int 0 | return uint 1 | while uint 2 | 8x8 uint 3
//! buffer starts u32[65537] binding 0 = i * 8
//! buffer neighbours u32[65536 * 8] binding 1 = random(0, 65535, 1)
//! buffer frontier u32[65536] binding 2 = random(0, 3, 2)
//! buffer levels u32[65536] binding 3 = 1000
//! push u32 65536, u32 7
//! dispatch 1024
//! peer
#if FORM == 3
layout(local_size_x = 8, local_size_y = 8) in;
#else
layout(local_size_x = 64) in;
#endif
layout(binding = 0) readonly buffer Starts { uint starts[]; };
layout(binding = 1) readonly buffer Neighbours { uint neighbours[]; };
layout(binding = 2) readonly buffer Frontier { uint frontier[]; };
layout(binding = 3) buffer Levels { uint levels[]; };
layout(push_constant) uniform Push { uint count, level; };

void main() {
#if FORM == 3
  const INT vertex = INT(gl_WorkGroupID.x * 64 + gl_LocalInvocationIndex);
#else
  const INT vertex = INT(gl_GlobalInvocationID.x);
#endif
#if FORM == 1
  if (vertex >= INT(count) || frontier[vertex] != 0) return;
  for (INT e = INT(starts[vertex]); e < INT(starts[vertex + 1]); ++e) {
    const uint other = neighbours[e];
    if (levels[other] > level) levels[other] = level;
  }
#else
  if (vertex < INT(count) && frontier[vertex] == 0) {
#if FORM == 2
    INT e = INT(starts[vertex]);
    while (e < INT(starts[vertex + 1])) {
      if (levels[neighbours[e]] > level) levels[neighbours[e]] = level;
      ++e;
    }
#else
    const INT end = INT(starts[vertex + 1]);
    for (INT e = INT(starts[vertex]); e < end; ++e) {
      const uint other = neighbours[e];
      if (levels[other] > level) levels[other] = level;
    }
#endif
  }
#endif
}
