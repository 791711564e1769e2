#version 450
// Group operations in workgroups that hold a matrix, and so are one wide instruction stream: each is
// carried out by every subgroup for itself, with all invocations live (first half of each row), and
// with those that a branch leaves (second half), which are all of some subgroups, none or half of
// others. Half are the upper halves of eight, so that there is somebody to read from.
//! each SIZE = 64 | 256
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require shaderSubgroupRotate shaderSubgroupRotateClustered shaderSubgroupPartitioned
//! require shaderQuadControl subgroup quad
//! buffer data u32[513] binding 0 = random(0, 30, 1)
//! buffer live u32[513] binding 1 = i < 256 ? 1 : i / 32 % 4 == 1 ? 0 : i / 32 % 4 == 0 || i % 8 >= 4
//! buffer results u32[19456] binding 2 = 0
//! buffer matrix f16[256] binding 3 = i
//! spec 0 = u32 $(SIZE)
//! subgroup 32 full
//! dispatch 256 / $(SIZE)
//! expect results[0..512] = live[n] ? (n == least(k, n/32*32, n/32*32+32, live[k] ? k : 999) ? 1
//!+  : 0) : 0
//! expect results[512..1024] = live[n] ? (all_bits(k, n/32*32, n/32*32+32, live[k] ? data[k] != 3
//!+  : 1)) : 0
//! expect results[1024..1536] = live[n] ? (any_bits(k, n/32*32, n/32*32+32, live[k] ? data[k] ==
//!+  3 : 0)) : 0
//! expect results[1536..2048] = live[n] ? (least(k, n/32*32, n/32*32+32, live[k] ? data[k] >> 4 :
//!+  99) == greatest(k, n/32*32, n/32*32+32, live[k] ? data[k] >> 4 : 0)) : 0
//! expect results[2048..2560] = live[n] ? (sum(k, 0, 32, live[n/32*32+k] && (data[n/32*32+k] & 1)
//!+  ? 1 << k : 0)) : 0
//! expect results[2560..3072] = live[n] ? (252654421 >> n % 32 & 1) : 0
//! expect results[3072..3584] = live[n] ? (live[n/32*32+31-n%32] && data[n/32*32+31-n%32] & 1) : 0
//! expect results[3584..4096] = live[n] ? (count(k, n/32*32, n/32*32+32, live[k] && data[k] & 1))
//!+  : 0
//! expect results[4096..4608] = live[n] ? (count(k, n/32*32, n+1, live[k] && data[k] & 1)) : 0
//! expect results[4608..5120] = live[n] ? (count(k, n/32*32, n, live[k] && data[k] & 1)) : 0
//! expect results[5120..5632] = live[n] ? (least(k, n/32*32, n/32*32+32, live[k] ? k % 32 : 99))
//!+  : 0
//! expect results[5632..6144] = live[n] ? (greatest(k, n/32*32, n/32*32+32, live[k] ? k % 32 :
//!+  0)) : 0
//! expect results[6144..6656] = live[n] ? (data[least(k, n/32*32, n/32*32+32, live[k] ? k :
//!+  999)]) : 0
//! expect results[6656..7168] = live[n] ? (data[n/32*32+5]) : 0
//! expect results[7168..7680] = live[n] ? (data[n/32*32 + (n * 8 + 5) % 32]) : 0
//! expect results[7680..8192] = live[n] ? (data[n ^ 8]) : 0
//! expect results[8192..8704] = live[n] ? (n % 32 < 8 ? 0 : data[n - 8]) : 0
//! expect results[8704..9216] = live[n] ? (n % 32 >= 24 ? 0 : data[n + 8]) : 0
//! expect results[9216..9728] = live[n] ? (data[n/32*32 + (n + 8) % 32]) : 0
//! expect results[9728..10240] = live[n] ? (data[n/16*16 + (n + 8) % 16]) : 0
//! expect results[10240..10752] = live[n] ? (sum(k, n/32*32, n/32*32+32, live[k] ? data[k] : 0))
//!+  : 0
//! expect results[10752..11264] = live[n] ? (product(k, n/32*32, n/32*32+32, live[k] ? data[k] |
//!+  1 : 1)) : 0
//! expect results[11264..11776] = live[n] ? (least(k, n/32*32, n/32*32+32, live[k] ? data[k] :
//!+  999)) : 0
//! expect results[11776..12288] = live[n] ? (greatest(k, n/32*32, n/32*32+32, live[k] ? data[k] :
//!+  0)) : 0
//! expect results[12288..12800] = live[n] ? (all_bits(k, n/32*32, n/32*32+32, live[k] ? data[k] :
//!+  -1)) : 0
//! expect results[12800..13312] = live[n] ? (any_bits(k, n/32*32, n/32*32+32, live[k] ? data[k] :
//!+  0)) : 0
//! expect results[13312..13824] = live[n] ? (xor_bits(k, n/32*32, n/32*32+32, live[k] ? data[k] :
//!+  0)) : 0
//! expect results[13824..14336] = live[n] ? (xor_bits(k, n/32*32, n/32*32+32, live[k] ? data[k] &
//!+  1 : 0)) : 0
//! expect results[14336..14848] = live[n] ? (sum(k, n/32*32, n+1, live[k] ? data[k] : 0)) : 0
//! expect results[14848..15360] = live[n] ? (greatest(k, n/32*32, n+1, k < n && live[k] ? data[k]
//!+  : 0)) : 0
//! expect results[15360..15872] = live[n] ? (sum(k, n/32*32, n+1, live[k] ? data[k] : 0)) : 0
//! expect results[15872..16384] = live[n] ? (sum(k, n/8*8, n/8*8+8, live[k] ? data[k] : 0)) : 0
//! expect results[16384..16896] = live[n] ? (sum(k, n/32*32, n/32*32+32, live[k] ? 3 : 0)) : 0
//! expect results[16896..17408] = live[n] ? (sum(k, 0, 32, live[n/32*32+k] && (data[n/32*32+k] &
//!+  3) == (data[n] & 3) ? 1 << k : 0)) : 0
//! expect results[17408..17920] = live[n] ? (sum(k, n/32*32, n/32*32+32, live[k] && (data[k] & 3)
//!+  == (data[n] & 3) ? data[k] : 0)) : 0
//! expect results[17920..18432] = live[n] ? (data[n/4*4+1]) : 0
//! expect results[18432..18944] = live[n] ? (data[n ^ 3]) : 0
//! expect results[18944..19456] = live[n] ? (any_bits(k, n/4*4, n/4*4+4, live[k] && data[k] >
//!+  20)) : 0
//! expect matrix = 2 * i
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_rotate : require
#extension GL_NV_shader_subgroup_partitioned : require
#extension GL_EXT_shader_quad_control : require
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) readonly buffer Live { uint live[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };
layout(binding = 3) buffer Matrix { float16_t elements[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

uint shuffledUp(uint x) {
  uint below = subgroupShuffleUp(x, 8);
  return gl_SubgroupInvocationID < 8 ? 0 : below;
}
uint shuffledDown(uint x) {
  uint above = subgroupShuffleDown(x, 8);
  return gl_SubgroupInvocationID >= 24 ? 0 : above;
}

void compute(uint i) {
  const uint x = data[i];
  results[0 + i] = uint(subgroupElect());
  results[512 + i] = uint(subgroupAll(x != 3));
  results[1024 + i] = uint(subgroupAny(x == 3));
  results[1536 + i] = uint(subgroupAllEqual(x >> 4));
  results[2048 + i] = subgroupBallot((x & 1) != 0).x;
  results[2560 + i] = uint(subgroupInverseBallot(uvec4(0x0f0f3355)));
  results[3072 + i] = uint(subgroupBallotBitExtract(subgroupBallot((x & 1) != 0), 31 - gl_SubgroupInvocationID));
  results[3584 + i] = subgroupBallotBitCount(subgroupBallot((x & 1) != 0));
  results[4096 + i] = subgroupBallotInclusiveBitCount(subgroupBallot((x & 1) != 0));
  results[4608 + i] = subgroupBallotExclusiveBitCount(subgroupBallot((x & 1) != 0));
  results[5120 + i] = subgroupBallotFindLSB(subgroupBallot(true));
  results[5632 + i] = subgroupBallotFindMSB(subgroupBallot(true));
  results[6144 + i] = subgroupBroadcastFirst(x);
  results[6656 + i] = subgroupBroadcast(x, 5);
  results[7168 + i] = subgroupShuffle(x, (i * 8 + 5) & 31);
  results[7680 + i] = subgroupShuffleXor(x, 8);
  results[8192 + i] = shuffledUp(x);
  results[8704 + i] = shuffledDown(x);
  results[9216 + i] = subgroupRotate(x, 8);
  results[9728 + i] = subgroupClusteredRotate(x, 8, 16);
  results[10240 + i] = subgroupAdd(x);
  results[10752 + i] = subgroupMul(x | 1);
  results[11264 + i] = subgroupMin(x);
  results[11776 + i] = subgroupMax(x);
  results[12288 + i] = subgroupAnd(x);
  results[12800 + i] = subgroupOr(x);
  results[13312 + i] = subgroupXor(x);
  results[13824 + i] = uint(subgroupXor((x & 1) != 0));
  results[14336 + i] = subgroupInclusiveAdd(x);
  results[14848 + i] = subgroupExclusiveMax(x);
  results[15360 + i] = uint(subgroupInclusiveAdd(float(x)));
  results[15872 + i] = subgroupClusteredAdd(x, 8);
  results[16384 + i] = subgroupAdd(3);
  results[16896 + i] = subgroupPartitionNV(x & 3).x;
  results[17408 + i] = subgroupPartitionedAddNV(x, subgroupPartitionNV(x & 3));
  results[17920 + i] = subgroupQuadBroadcast(x, 1);
  results[18432 + i] = subgroupQuadSwapDiagonal(x);
  results[18944 + i] = uint(subgroupQuadAny(x > 20));
}

void main() {
  const uint i = gl_GlobalInvocationID.x;
  coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> m;
  if (gl_WorkGroupID.x == 0) coopMatLoad(m, elements, 0, 16, row);
  compute(i);
  if (live[256 + i] != 0) compute(256 + i);
  if (gl_WorkGroupID.x == 0) coopMatStore(m + m, elements, 0, 16, row);
}
