// SPDX-License-Identifier: Apache-2.0

export void add_saturated_u8(const uniform unsigned int32 push[], const uniform unsigned int8 a[],
                             const uniform unsigned int8 b[], uniform unsigned int8 c[]) {
  foreach (i = 0 ... push[0]) c[i] = saturating_add(a[i], b[i]);
}
