#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// The least element of each 4096, the greatest, and the first place of the greatest.
//! require subgroup arithmetic
//! each SPELLING INT FORM = subgroup uint 0 | int int 0 | select uint 1
//! buffer data f32[1 << 20] binding 0 = random(-1.0, 1.0, 1)
//! buffer least f32[256] binding 1
//! buffer greatest f32[256] binding 2
//! buffer place u32[256] binding 3
//! push u32 4096
//! dispatch 256
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Least { float least[]; };
layout(binding = 2) writeonly buffer Greatest { float greatest[]; };
layout(binding = 3) writeonly buffer Place { uint place[]; };
layout(push_constant) uniform Push { uint part; };
shared float lows[256], highs[256];
shared uint places[256];

void main() {
  const INT lane = INT(gl_LocalInvocationIndex), n = INT(part);
  const INT first = INT(gl_WorkGroupID.x) * n;
  float low = data[first + lane], high = low;
  uint at = uint(lane);
  for (INT i = lane + 256; i < n; i += 256) {
    const float value = data[first + i];
    low = min(low, value);
#if FORM == 1
    at = value > high ? uint(i) : at;
    high = max(high, value);
#else
    if (value > high) {
      high = value;
      at = uint(i);
    }
#endif
  }
  const float group_high = subgroupMax(high);
  at = subgroupMin(high == group_high ? at : ~0u);
  low = subgroupMin(low);
  if (subgroupElect()) {
    lows[gl_SubgroupID] = low;
    highs[gl_SubgroupID] = group_high;
    places[gl_SubgroupID] = at;
  }
  barrier();
  if (lane == 0)
    for (uint s = 1; s < gl_NumSubgroups; ++s) {
      lows[0] = min(lows[0], lows[s]);
      if (highs[s] > highs[0] || (highs[s] == highs[0] && places[s] < places[0])) {
        highs[0] = highs[s];
        places[0] = places[s];
      }
    }
  if (lane == 0) {
    least[gl_WorkGroupID.x] = lows[0];
    greatest[gl_WorkGroupID.x] = highs[0];
    place[gl_WorkGroupID.x] = places[0];
  }
}
