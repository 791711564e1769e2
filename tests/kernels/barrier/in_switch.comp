#version 450
// Barriers in the cases of a uniform switch, one of them in a loop.
//! buffer results u32[256] binding 0
//! dispatch 4
//! expect results = i / 64 == 0 ? (i + 1) % 64 : i / 64 == 1 ? 63 - i % 64 : i / 64 == 2 ? (i + 5) % 64 : 77
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint stage[64];

void main() {
  uint i = gl_LocalInvocationIndex, result = 77;
  stage[i] = i;
  switch (gl_WorkGroupID.x) {
    case 0:
      barrier();
      result = stage[(i + 1) % 64];
      break;
    case 1:
      barrier();
      result = stage[63 - i];
      break;
    case 2:
      for (int k = 0; k < 5; ++k) {
        barrier();
        result = stage[(i + 1) % 64];
        barrier();
        stage[i] = result;
      }
      break;
  }
  results[gl_GlobalInvocationID.x] = result;
}
