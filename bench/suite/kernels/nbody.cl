// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(128, 1, 1))) void nbody(
    constant uint* push, global const float4* restrict bodies,
    global float4* restrict accelerations) {
  const uint n = push[0], me = get_global_id(0);
  const float3 place = bodies[me].xyz;
  float3 sum = 0;
  for (uint i = 0; i < n; ++i) {
    const float3 d = bodies[i].xyz - place;
    const float inverse = rsqrt(dot(d, d) + 0.01f);
    sum += d * (bodies[i].w * inverse * inverse * inverse);
  }
  accelerations[me] = (float4)(sum, 0);
}
