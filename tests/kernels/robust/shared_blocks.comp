#version 450
// Workgroup blocks with explicit layouts, which share their memory: the bounds are those of the block
// that an index leads into, though there is more memory behind it.
//! require workgroupMemoryExplicitLayout
//! each NAME FAR = near 4 | far 0x10000000 | before -1
//! robust
//! buffer results u32[160] binding 0
//! push s32 $(FAR)
//! dispatch 1
//! expect results[0..32] = n % 4 == 3 ? 0 : 100 + n % 4 * 4 + n / 16 * 2 + n / 8 % 2
//! expect results[32..64] = 0
//! expect results[64..96] = n % 2 == 1 ? 0 : 100 + n / 16
//! expect results[96..128] = 0
//! expect results[128..160] = n % 8 == 7 || n / 8 == 3 ? 0 : 100 + n / 8 * 4 + n % 4
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { int far; };
struct Padded {
  mat2 m;
  vec4 spare[6];
};
shared Large { Padded padded[3]; };
shared Small { float small[4]; };

void main() {
  const int i = int(gl_LocalInvocationIndex);
  const int away = far < 0 ? far - i : far + i;
  if (i < 3) padded[i].m = mat2(100 + 4 * i, 101 + 4 * i, 102 + 4 * i, 103 + 4 * i);
  barrier();
  padded[far].m[i % 2] = vec2(1);
  padded[away].m[1].y = 2;
  padded[far] = padded[0];
  small[far] = 3;
  small[away] = 4;
  barrier();
  results[i] = uint(padded[i % 4 == 3 ? away : i % 4].m[i / 16][i / 8 % 2]);
  results[32 + i] = uint(padded[far].m[i % 2].x + padded[far].m[far].x);
  results[64 + i] = uint(small[i % 2 == 1 ? away : i / 16]);
  results[96 + i] = uint(small[far]);
  const Padded whole = padded[i % 8 == 7 || i / 8 == 3 ? away : i / 8];
  results[128 + i] = uint(whole.m[i / 2 % 2][i % 2]);
}
