// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(128, 1, 1))) void fft256(
    constant uint* push, global const float2* restrict data, global float2* restrict result,
    global const float2* restrict roots) {
  local float2 values[256];
  const uint lane = get_local_id(0), first = get_group_id(0) * 256;
  for (uint i = lane; i < 256; i += 128) {
    uint place = 0;
    for (uint b = 0; b < 8; ++b) place |= (i >> b & 1) << (7 - b);
    values[place] = data[first + i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_size = 1; half_size < 256; half_size *= 2) {
    const uint k = lane & (half_size - 1), i = 2 * lane - k, j = i + half_size;
    const float2 root = roots[k * (128 / half_size)], a = values[i], b = values[j];
    const float2 turned = (float2)(b.x * root.x - b.y * root.y, b.x * root.y + b.y * root.x);
    values[i] = a + turned;
    values[j] = a - turned;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  result[first + lane] = values[lane];
  result[first + lane + 128] = values[lane + 128];
}
