// SPDX-License-Identifier: Apache-2.0

export void histogram_global(const uniform unsigned int32 push[],
                             const uniform unsigned int32 values[],
                             uniform unsigned int32 counts[]) {
  foreach (i = 0 ... push[0]) {
    const unsigned int value = values[i];
    foreach_active (lane) atomic_add_global(counts + extract(value, lane), (uniform unsigned int)1);
  }
}
