#version 450
// A loop with barriers that ends when a shared flag says so: the break is the same for all.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer limits u32[3] binding 0 = { 3, 17, 60 }
//! buffer results u32[192] binding 1
//! dispatch 3
//! expect results = limits[i / 64] * 1000 + (i + limits[i / 64]) % 64
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Limits { uint limits[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared bool done;
shared uint stage[64];

void main() {
  uint i = gl_LocalInvocationIndex, round = 0;
  if (i == 0) done = false;
  stage[i] = i;
  while (true) {
    barrier();
    if (done) break;
    uint next = stage[(i + 1) % 64];
    barrier();
    stage[i] = next;
    ++round;
    if (i == 5 && round == limits[gl_WorkGroupID.x]) done = true;
  }
  results[gl_GlobalInvocationID.x] = round * 1000 + stage[i];
}
