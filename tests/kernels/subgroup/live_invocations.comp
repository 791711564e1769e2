#version 450
// Who takes part in a group operation after divergence: those who came to it, all of them together
// again where control flow merges. Loops that invocations leave at different times, continues,
// switches with shared and falling cases, functions that return early, returns from main.
//! each SIZE = 8 | 16 | 32 | 64
//! each MODE = plain | maximal
//! require subgroup arithmetic
//! require shaderMaximalReconvergence
//! buffer data u32[101] binding 0 = random(0, 7, 1)
//! buffer results u32[700] binding 1 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..100] = sum(r, 0, data[n], count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), data[k] > r))
//! expect results[100..200] = min(n/subgroup_size*subgroup_size+subgroup_size,100) - n/subgroup_size*subgroup_size
//! expect results[200..300] = sum(r, 0, 4, r % 2 != data[n] % 2 ? count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), r % 2 != data[k] % 2) : 0)
//! expect results[300..400] = (data[n] < 2 ? 1000 * count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), data[k] < 2) : 0)
//!+  + (data[n] < 3 ? count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), data[k] < 3) :
//!+     data[n] == 5 ? 100 * count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), data[k] == 5) : 0)
//! expect results[400..500] = data[n] == 3 ? 7 : count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), data[k] != 3)
//! expect results[500..600] = min(n/subgroup_size*subgroup_size+subgroup_size,100) - n/subgroup_size*subgroup_size
//! expect results[600..700] = data[n] % 4 == 1 ? 0 : count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), data[k] % 4 != 1)
#extension GL_KHR_shader_subgroup_arithmetic : require
#define plain 0
#define maximal 1
#if MODE == maximal
#extension GL_EXT_maximal_reconvergence : require
#define RECONVERGES [[maximally_reconverges]]
#else
#define RECONVERGES
#endif
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

uint live() { return subgroupAdd(1u); }

uint early(uint x) {
  if (x == 3) return 7;
  return subgroupAdd(1u);
}

void main()
RECONVERGES {
  uint i = gl_LocalInvocationIndex, x = data[i], sum = 0;
  for (uint r = 0; r < x; ++r) sum += live();
  results[i] = sum;
  results[100 + i] = live();

  sum = 0;
  for (uint r = 0; r < 4; ++r) {
    if (r % 2 == x % 2) continue;
    sum += live();
  }
  results[200 + i] = sum;

  sum = 0;
  switch (x) {
    case 0:
    case 1:
      sum += 1000 * live();
    case 2:
      sum += live();
      break;
    case 5:
      sum += 100 * live();
      break;
    default:
      break;
  }
  results[300 + i] = sum;

  results[400 + i] = early(x);
  results[500 + i] = live();
  if (x % 4 == 1) return;
  results[600 + i] = live();
}
