#version 450
// Shared memory up to the last byte of the limit, in variables of odd sizes.
//! require shared 65536
//! buffer results u32[64] binding 0
//! dispatch 2
//! expect results = 3 * (63 - i)
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint one;
shared uint small[3];
shared uint odd[8191];
shared uint single;
shared uint rest[8188];

void main() {
  uint i = gl_LocalInvocationID.x;
  if (i == 0) {
    one = 1;
    single = 2;
    small[2] = 0;
  }
  odd[8190 - i] = i;
  rest[8187 - i] = 2 * i;
  barrier();
  results[i] = one * odd[8190 - (63 - i)] + single * rest[8187 - (63 - i)] / 2 + small[2];
}
