#version 450
// subgroupBallot, InverseBallot, BallotBitExtract, BallotBitCount and its scans, BallotFindLSB and
// MSB, over all invocations and over those that a branch leaves live.
//! each SIZE = 8 | 16 | 32 | 64
//! require subgroup ballot
//! buffer data u32[256] binding 0 = i % subgroup_size == 1 ? 1 : random(0, 1, 1)
//! buffer live u32[256] binding 1 = i % subgroup_size == 1 ? 1 : random(0, 2, 2) != 0
//! buffer results u32[4000] binding 2 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..150] = sum(k, 0, 32, k < subgroup_size && n/subgroup_size*subgroup_size+k < 150 && data[n/subgroup_size*subgroup_size+k] ? 1 << k : 0)
//! expect results[200..350] = sum(k, 32, 64, k < subgroup_size && n/subgroup_size*subgroup_size+k < 150 && data[n/subgroup_size*subgroup_size+k] ? 1 << k - 32 : 0)
//! expect results[400..550] = 0
//! expect results[600..750] = data[n]
//! expect results[800..950] = n/subgroup_size*subgroup_size + subgroup_size - 1 - n % subgroup_size < 150
//!+  && data[n/subgroup_size*subgroup_size + subgroup_size - 1 - n % subgroup_size]
//! expect results[1000..1150] = count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,150), data[k])
//! expect results[1200..1350] = count(k, n/subgroup_size*subgroup_size, n+1, data[k])
//! expect results[1400..1550] = count(k, n/subgroup_size*subgroup_size, n, data[k])
//! expect results[1600..1750] = least(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,150), data[k] ? k % subgroup_size : 99)
//! expect results[1800..1950] = greatest(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,150), data[k] ? k % subgroup_size : 0)
//! expect results[2000..2150] = live[n] == 0 ? 0 : sum(k, 0, 32, k < subgroup_size && n/subgroup_size*subgroup_size+k < 150 && data[n/subgroup_size*subgroup_size+k] && live[n/subgroup_size*subgroup_size+k] ? 1 << k : 0)
//! expect results[2200..2350] = live[n] == 0 ? 0 : sum(k, 32, 64, k < subgroup_size && n/subgroup_size*subgroup_size+k < 150 && data[n/subgroup_size*subgroup_size+k] && live[n/subgroup_size*subgroup_size+k] ? 1 << k - 32 : 0)
//! expect results[2600..2750] = live[n] && data[n]
//! expect results[3000..3150] = live[n] == 0 ? 0 : count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,150), data[k] && live[k])
//! expect results[3200..3350] = live[n] == 0 ? 0 : count(k, n/subgroup_size*subgroup_size, n+1, data[k] && live[k])
//! expect results[3400..3550] = live[n] == 0 ? 0 : count(k, n/subgroup_size*subgroup_size, n, data[k] && live[k])
//! expect results[3600..3750] = live[n] == 0 ? 0 : least(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,150), data[k] && live[k] ? k % subgroup_size : 99)
//! expect results[3800..3950] = live[n] == 0 ? 0 : greatest(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,150), data[k] && live[k] ? k % subgroup_size : 0)
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 150) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) readonly buffer Live { uint live[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

void compute(uint at, bool x) {
  uvec4 ballot = subgroupBallot(x);
  results[at] = ballot.x;
  results[at + 200] = ballot.y;
  results[at + 400] = ballot.z | ballot.w;
  results[at + 600] = uint(subgroupInverseBallot(ballot));
  results[at + 800] =
      uint(subgroupBallotBitExtract(ballot, gl_SubgroupSize - 1 - gl_SubgroupInvocationID));
  results[at + 1000] = subgroupBallotBitCount(ballot);
  results[at + 1200] = subgroupBallotInclusiveBitCount(ballot);
  results[at + 1400] = subgroupBallotExclusiveBitCount(ballot);
  results[at + 1600] = subgroupBallotFindLSB(ballot);
  results[at + 1800] = subgroupBallotFindMSB(ballot);
}

void main() {
  uint i = gl_LocalInvocationIndex;
  compute(i, data[i] != 0);
  if (live[i] != 0) compute(2000 + i, data[i] != 0);
}
