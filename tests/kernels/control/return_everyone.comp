#version 450
// Where every invocation has returned, nothing of what follows happens: neither the store that
// all share nor the barrier and what lies behind it.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[192] binding 0 = i / 64 == 1 ? 1 : i % 3 == 0
//! buffer results u32[3] binding 1 = 5
//! buffer sums u32[3] binding 2 = 5
//! dispatch 3
//! expect results = { 9, 5, 9 }
//! expect sums = { 42, 5, 43 }
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
layout(binding = 2) writeonly buffer Sums { uint sums[]; };
shared uint seen[64];

void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
  seen[l] = 0;
  barrier();
  if (data[i] == 1) return;
  results[gl_WorkGroupID.x] = 9;
  seen[l] = 1;
  barrier();
  uint sum = 0;
  for (uint k = 0; k < 64; ++k) sum += seen[k];
  sums[gl_WorkGroupID.x] = sum;
}
