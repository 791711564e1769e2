// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void scan_hillis_steele(
    constant uint* push, global const uint* restrict data, global uint* restrict sums) {
  local uint values[256];
  const uint lane = get_local_id(0);
  values[lane] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 256; step *= 2) {
    uint sum = values[lane];
    if (lane >= step) sum += values[lane - step];
    barrier(CLK_LOCAL_MEM_FENCE);
    values[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sums[get_global_id(0)] = values[lane];
}
