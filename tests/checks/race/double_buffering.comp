#version 450
// Rounds with one barrier each: with one stage, the next round's store meets this round's load;
// with two stages that take turns there is always a barrier between.
//! debug
//! each BUG STAGES = 1 1 | 0 2
//! setting check race
//! buffer data u32[512] binding 0 = random(0, 100, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : sum(k, 0, 8, data[64 * k + (i ^ 1)])
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[STAGES][64];

void main() {
  uint i = gl_LocalInvocationIndex, sum = 0;
  for (uint k = 0; k < 8; ++k) {
    stage[k % STAGES][i] = data[64 * k + i];  // finding
    barrier();
    sum += stage[k % STAGES][i ^ 1];  // finding
  }
  results[i] = sum;
}
