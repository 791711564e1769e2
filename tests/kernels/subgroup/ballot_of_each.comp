#version 450
// Ballots that are not the subgroup's own: each invocation brings one, with bits above the
// subgroup's size that do not count.
//! each SIZE = 8 | 16 | 32 | 64
//! require subgroup ballot
//! buffer data u32[256] binding 0 = random(0, 0xffffffff, 1)
//! buffer results u32[384] binding 1 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..64] = popcount(data[4*n] & (1 << min(subgroup_size, 32)) - 1)
//!+  + popcount(data[4*n+1] & (1 << max(subgroup_size - 32, 0)) - 1)
//! expect results[64..128] = popcount(data[4*n] & (1 << min(n % subgroup_size + 1, 32)) - 1)
//!+  + popcount(data[4*n+1] & (1 << max(n % subgroup_size + 1 - 32, 0)) - 1)
//! expect results[128..192] = popcount(data[4*n] & (1 << min(n % subgroup_size, 32)) - 1)
//!+  + popcount(data[4*n+1] & (1 << max(n % subgroup_size - 32, 0)) - 1)
//! expect results[192..256] = data[4*n] & (1 << min(subgroup_size, 32)) - 1 ? lowbit(data[4*n]) : 77
//! expect results[256..320] = subgroup_size == 64 ? 32 + highbit(data[4*n+1]) :
//!+  data[4*n] & (1 << subgroup_size) - 1 ? highbit(data[4*n] & (1 << subgroup_size) - 1) : 77
//! expect results[320..384] = data[4*n + (n*5 % subgroup_size) / 32] >> (n*5 % subgroup_size) % 32 & 1
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uvec4 data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uvec4 ballot = data[i];
  results[i] = subgroupBallotBitCount(ballot);
  results[64 + i] = subgroupBallotInclusiveBitCount(ballot);
  results[128 + i] = subgroupBallotExclusiveBitCount(ballot);
  results[192 + i] = subgroupBallotBitCount(ballot) == 0 ? 77 : subgroupBallotFindLSB(ballot);
  results[256 + i] = subgroupBallotBitCount(ballot) == 0 ? 77 : subgroupBallotFindMSB(ballot);
  results[320 + i] = uint(subgroupBallotBitExtract(ballot, i * 5 % gl_SubgroupSize));
}
