#version 450
// Clocks of both scopes run, never backwards, in one workgroup after another.
//! require shaderSubgroupClock shaderDeviceClock shaderInt64
//! buffer times u64[192] binding 0 = 0
//! buffer work f32[64] binding 1 = 1
//! dispatch 1
//! expect times = @times[i]
//! expect work = @work[i]
//! check product(i, 0, 64, @times[i] < @times[64 + i])
//! check product(i, 0, 64, @times[64 + i] <= @times[128 + i])
#extension GL_ARB_shader_clock : require
#extension GL_EXT_shader_realtime_clock : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Times { uint64_t times[]; };
layout(binding = 1) buffer Work { float work[]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  uint64_t start = clockARB();
  for (int k = 0; k < 100; ++k) work[i] = sqrt(work[i] + 1);
  uvec2 subgroup = clock2x32ARB();
  uint64_t end = clockRealtimeEXT();
  uvec2 words = clockRealtime2x32EXT();
  times[i] = start;
  times[64 + i] = packUint2x32(subgroup);
  times[128 + i] = words.y == uint(end >> 32) ? end : 0;
}
