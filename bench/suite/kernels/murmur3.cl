// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void murmur3(
    constant uint* push, global const uint* restrict keys, global uint* restrict hashes) {
  const uint n = push[0], i = get_global_id(0);
  uint hash = push[1];
  for (uint k = 0; k < 4; ++k) {
    hash ^= rotate(keys[k * n + i] * 0xcc9e2d51u, 15u) * 0x1b873593u;
    hash = rotate(hash, 13u) * 5 + 0xe6546b64u;
  }
  hash ^= 16;
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  hashes[i] = hash ^ hash >> 16;
}
