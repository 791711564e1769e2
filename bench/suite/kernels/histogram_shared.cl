// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void histogram_shared(
    constant uint* push, global const uint* restrict words, global uint* restrict counts) {
  local uint local_counts[256];
  const uint lane = get_local_id(0);
  local_counts[lane] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < push[0]; i += 64 * 256) {
    const uint word = words[i];
    atomic_add(local_counts + (word & 255), 1);
    atomic_add(local_counts + (word >> 8 & 255), 1);
    atomic_add(local_counts + (word >> 16 & 255), 1);
    atomic_add(local_counts + (word >> 24), 1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(counts + lane, local_counts[lane]);
}
