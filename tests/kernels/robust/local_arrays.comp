#version 450
// Indices out of bounds into Function and Private variables and tables of constants: reads give 0,
// writes are dropped, and no other variable changes. Variables that are the same for all and that
// vary, indices that are the same for all, that vary, and that are constants.
//! each NAME FAR = near 16 | far 0x10000000 | before -1 | wraps 0x7fffffff
//! robust
//! tolerated
//! buffer results u32[384] binding 0
//! push s32 $(FAR)
//! spec 0 = u32 $(FAR)
//! dispatch 1
//! expect results[0..32] = 0
//! expect results[32..64] = n % 2 == 1 ? 0 : 100 + n / 4 + n
//! expect results[64..96] = 0
//! expect results[96..128] = n % 2 == 1 ? 0 : 50 + n / 4
//! expect results[128..160] = 0
//! expect results[160..192] = n % 2 == 1 ? 0 : n / 2 * (n / 2)
//! expect results[192..224] = 0
//! expect results[224..256] = n % 2 == 1 ? 0 : 3 + n / 16
//! expect results[256..288] = 0
//! expect results[288..320] = 16 * n + 1720
//! expect results[320..352] = 0
//! expect results[352..384] = n == 5 ? 6 : 0
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { int far; };
layout(constant_id = 0) const int constant = 0;
const uint squares[16] =
    uint[](0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225);
uint of_all[16];  // Private
struct Inner {
  uvec3 v;
  bool flag;
};

void main() {
  const int i = int(gl_LocalInvocationIndex);
  const int away = far < 0 ? far - i : far + i;
  const int even = i % 2 == 1 ? away : i / 4;
  uint own[16];
  uint guard[16];
  Inner inner[2];
  for (int k = 0; k < 16; ++k) {
    own[k] = 100 + k + i;
    guard[k] = k;
    of_all[k] = 50 + k;
  }
  for (int k = 0; k < 2; ++k) inner[k] = Inner(uvec3(3 + k), true);
  mat3 m = mat3(1, 2, 3, 4, 5, 6, 7, 8, 9);
  uvec4 vector = uvec4(0, 0, 0, 0);
  // Stores first: none of them may be seen.
  own[far] = 1;
  own[constant] = 2;
  if (i % 2 == 1) own[even] = 3;
  of_all[far] = 4;
  of_all[constant] = 5;
  inner[far].v = uvec3(6);
  inner[far].flag = false;
  inner[far].v[i % 3] = 7;
  m[far] = vec3(8);
  m[far][i % 3] = 9;
  vector[far] = 10;
  if (i == 5) vector[i - 5] = 6;
  results[i] = own[far] + own[constant];
  results[32 + i] = own[even];
  results[64 + i] = of_all[far] + of_all[constant];
  results[96 + i] = of_all[even];
  results[128 + i] = squares[far] + squares[constant];
  results[160 + i] = squares[i % 2 == 1 ? away : i / 2];
  results[192 + i] = inner[far].v.y + uint(inner[far].flag) + inner[far].v[i % 3];
  results[224 + i] = inner[i % 2 == 1 ? away : i / 16].v.y;
  results[256 + i] = uint(m[far].y + m[far][i % 3]);
  uint sum = 0, changed = 0;
  for (int k = 0; k < 16; ++k) {
    sum += own[k];
    changed += uint(guard[k] != k) + uint(of_all[k] != 50 + k);
  }
  for (int k = 0; k < 9; ++k) changed += uint(m[k / 3][k % 3] != k + 1);
  for (int k = 0; k < 2; ++k) changed += uint(inner[k].v != uvec3(3 + k) || !inner[k].flag);
  results[288 + i] = sum;
  results[320 + i] = changed;
  results[352 + i] = vector.x + vector.y + vector.z + vector.w;
}
