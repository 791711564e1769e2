#version 450
// Beside a matrix of the workgroup: loops that invocations and subgroups leave one after the other,
// with what they had at that time; variables that all invocations have alike, changed in and between
// what they do of their own; arrays of each invocation.
//! require cooperativeMatrixWorkgroupScope cooperativeMatrixFlexibleDimensions
//! require matrix_type 16 16 Accumulator f32 invocations 128
//! require subgroup basic
//! buffer m f32[256] binding 0 = random(0, 40, 1)
//! buffer stored f32[256] binding 1
//! buffer data u32[1024] binding 2 = random(0, 100, 3)
//! buffer left u32[128] binding 3
//! buffer shared_ones u32[128] binding 4
//! buffer counted u32[128] binding 5
//! buffer own u32[128] binding 6
//! buffer again u32[128] binding 7
//! buffer flag u32[2] binding 8 = { 3, 0 }
//! subgroup 32 full
//! dispatch 1
//! expect stored = 2 * m[i]
//! expect left = (i % 7) * 1000 + (i % 7 == 0 ? 50 : 3) + sum(k, 0, 7, k < i % 7 ? data[i + 128 * k] : 0) * 10000
//! expect shared_ones = data[i + 3] + data[i + 7] + data[i + 11] + data[i + 15]
//! expect counted = (i / 32 + 2) * 100 + 8
//! expect own = sum(k, 0, 8, (data[i + k] + k) * (k + 1))
//! expect again = i % 5 + 3 * 4
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer M { float m[]; };
layout(binding = 1) writeonly buffer Stored { float stored[]; };
layout(binding = 2) readonly buffer Data { uint data[]; };
layout(binding = 3) writeonly buffer Left { uint left[]; };
layout(binding = 4) writeonly buffer Ones { uint shared_ones[]; };
layout(binding = 5) writeonly buffer Counted { uint counted[]; };
layout(binding = 6) writeonly buffer Own { uint own[]; };
layout(binding = 7) writeonly buffer Again { uint again[]; };
layout(binding = 8) buffer Flag { uint flag, zero; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  const uint i = gl_LocalInvocationIndex;
  coopmat<float, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> x;
  coopMatLoad(x, m, 0, 16, row);

  // What one reads for all, used after a loop that invocations leave at different times.
  uint seen = 50, turns = 0, sum = 0;
  while (turns < i % 7) {
    seen = atomicAdd(flag, 0u);
    uint loaded = atomicLoad(flag, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    seen = loaded;
    sum += data[i + 128 * turns];
    ++turns;
  }
  left[i] = turns * 1000 + seen + sum * 10000;

  // Alike for all, and changed where invocations do something of their own.
  uint places[4], places_sum = 0;
  for (uint k = 0; k < 4; ++k) places[(k + zero) % 4] = 3;
  for (uint k = 0; k < 4; ++k) {
    places_sum += data[i + places[(zero + k) % 4]];
    places[(k + 1 + zero) % 4] += 4 * (k + 1);
  }
  shared_ones[i] = places_sum;

  x = x + x;

  uint count[2];
  count[zero] = 0;
  count[1] = 0;
  uint mine = gl_SubgroupID;
  for (uint k = 0; k < 8; ++k) {
    if (k % 4 == 3) mine += 1;
    count[zero] += 1;
  }
  counted[i] = mine * 100 + count[zero];

  // An array of each invocation, filled before and read after something of the workgroup's.
  uint kept[8];
  for (uint k = 0; k < 8; ++k) kept[(k + zero) % 8] = data[i + k];
  coopMatStore(x, stored, 0, 16, row);
  uint weighed = 0;
  for (uint k = 0; k < 8; ++k) {
    kept[(k + zero) % 8] += k;
    weighed += kept[(k + zero) % 8] * (k + 1);
  }
  own[i] = weighed;

  // One that goes on from round to round and that nobody looks at in between.
  uint total[2];
  total[0] = i % 5;
  for (uint k = 0; k < 3; ++k) {
    if (i < 1000) total[zero] += 4;
    barrier();
  }
  again[i] = total[zero];
}
