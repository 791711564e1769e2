#version 450
// Components past the end of vectors of many components: 0, and nothing else changes.
//! require longVector
//! each NAME FAR = near 33 | far 0x10000000 | before -1 | wraps 0x7fffffff
//! robust
//! buffer results u32[128] binding 0
//! push s32 $(FAR)
//! dispatch 1
//! expect results[0..32] = n % 2 == 1 ? 0 : 500 + n
//! expect results[32..64] = 0
//! expect results[64..96] = n % 2 == 1 ? 0 : 700 + n
//! expect results[96..128] = 100 + n
#extension GL_EXT_long_vector : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { int far; };
shared uint before[32];
shared vector<uint, 33> in_workgroup;
shared uint behind[32];

void main() {
  const int i = int(gl_LocalInvocationIndex);
  const int away = far < 0 ? far - i : far + i;
  vector<uint, 33> in_function;
  for (int k = 0; k < 33; ++k) in_function[k] = 700 + k;
  in_workgroup[i] = 500 + i;
  before[i] = behind[i] = 50 + i / 2;
  if (i % 2 == 1) before[i] += 1;
  barrier();
  in_workgroup[far] = in_function[far] = 4;
  in_workgroup[away] = in_function[away] = 5;
  barrier();
  results[i] = in_workgroup[i % 2 == 1 ? away : i];
  results[32 + i] = in_workgroup[far] + in_function[far];
  results[64 + i] = in_function[i % 2 == 1 ? away : i];
  results[96 + i] = before[i] + behind[i];
}
