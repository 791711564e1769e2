#version 450
// Reductions of special floats. FMin and FMax take the number where the other is NaN; an infinity
// is no stranger; sums keep -0.0 where there is nothing else, and the first of an exclusive scan
// gets the operation's identity.
//! require subgroup arithmetic
//! buffer data f32[8] binding 0 = { nan, 2.0, nan, -3.0, nan, 7.0, nan, 1.0 }
//! buffer zeros f32[8] binding 1 = from_bits_f32(0x80000000)
//! buffer large f32[8] binding 2 = { inf, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0 }
//! buffer results f32[8] binding 3
//! buffer firsts f32[4] binding 4
//! subgroup 8
//! dispatch 1
//! expect results[0..6] = { -3.0, 7.0, -3.0, 7.0, inf, 1.0 }
//! expect results.u32[6] = 0x80000000
//! expect results.u32[7] = 0x80000000
//! expect firsts.u32 = { 0, 0x3f800000, 0x7f800000, 0xff800000 }
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) readonly buffer Zeros { float zeros[]; };
layout(binding = 2) readonly buffer Large { float large[]; };
layout(binding = 3) writeonly buffer Results { float results[]; };
layout(binding = 4) writeonly buffer Firsts { float firsts[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  results[0] = subgroupMin(data[i]);
  results[1] = subgroupMax(data[i]);
  float least = subgroupInclusiveMin(data[i]), greatest = subgroupInclusiveMax(data[i]);
  float sum = subgroupAdd(large[i]), smallest = subgroupMin(large[i]);
  float zero = subgroupAdd(zeros[i]);
  if (i == 7) {
    results[2] = least;
    results[3] = greatest;
    results[4] = sum;
    results[5] = smallest;
    results[6] = zero;
  }
  if (i >= 3) {
    float some = subgroupInclusiveAdd(zeros[i]);
    float a = subgroupExclusiveAdd(zeros[i]), b = subgroupExclusiveMul(large[i]);
    float c = subgroupExclusiveMin(large[i]), d = subgroupExclusiveMax(large[i]);
    if (i == 7) results[7] = some;
    if (i == 3) {
      firsts[0] = a;
      firsts[1] = b;
      firsts[2] = c;
      firsts[3] = d;
    }
  }
}
