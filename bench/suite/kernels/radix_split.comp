#version 450
#extension GL_KHR_shader_subgroup_ballot : require
// One pass of a radix sort over blocks of 256 keys: stable, split by each of four bits.
//! require subgroup ballot
//! each SPELLING INT FORM = for uint 0 | int int 0 | do uint 1
//! buffer keys u32[1 << 17] binding 0 = random(0, 4294967295, 1)
//! buffer sorted u32[1 << 17] binding 1
//! push u32 8
//! dispatch 512
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Keys { uint keys[]; };
layout(binding = 1) writeonly buffer Sorted { uint sorted[]; };
layout(push_constant) uniform Push { uint shift; };
shared uint counts[256];
shared uint values[2][256];

void main() {
  const INT lane = INT(gl_LocalInvocationIndex);
  const uint key = keys[gl_GlobalInvocationID.x];
  // A split by each bit: zeros before ones.
  values[0][lane] = key;
  uint from = 0;
#if FORM == 1
  INT bit = 0;
  do {
#else
  for (INT bit = 0; bit < 4; ++bit) {
#endif
    barrier();
    const uint value = values[from][lane];
    const bool one = (value >> shift + uint(bit) & 1) != 0;
    const uvec4 zeros = subgroupBallot(!one);
    if (subgroupElect()) counts[gl_SubgroupID] = subgroupBallotBitCount(zeros);
    barrier();
    uint before = 0, all = 0;
    for (uint s = 0; s < gl_NumSubgroups; ++s) {
      if (s < gl_SubgroupID) before += counts[s];
      all += counts[s];
    }
    before += subgroupBallotExclusiveBitCount(zeros);
    values[1 - from][one ? all + uint(lane) - before : before] = value;
    from = 1 - from;
#if FORM == 1
  } while (++bit < 4);
#else
  }
#endif
  barrier();
  sorted[gl_GlobalInvocationID.x] = values[from][lane];
}
