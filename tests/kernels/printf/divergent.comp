#version 450
// Only invocations that come by print: in divergent branches, in loops that they leave at different
// times, and after a barrier.
//! buffer results u32[64] binding 0
//! dispatch 1
//! expect results = i
//! prints "^odd [0-9]*[13579]$" times 32
//! prints "^step [0-3] of [0-9]+$" times 96
//! prints "^after 63 64$"
//! prints "^no arguments$" times 64
#extension GL_EXT_debug_printf : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Results { uint results[]; };
shared uint counts[64];

void main() {
  uint i = gl_LocalInvocationIndex;
  if (i % 2 == 1) debugPrintfEXT("odd %d", i);
  for (uint k = 0; k < i % 4; ++k) debugPrintfEXT("step %d of %d", k, i);
  counts[i] = i + 1;
  barrier();
  if (counts[(i + 1) % 64] == 1) debugPrintfEXT("after %d %d", i, counts[i]);
  debugPrintfEXT("no arguments");
  results[i] = i;
}
