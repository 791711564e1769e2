// SPDX-License-Identifier: Apache-2.0

export void gamma_table(const uniform unsigned int32 push[], const uniform unsigned int8 image[],
                        const uniform unsigned int8 table[], uniform unsigned int8 result[]) {
  foreach (i = 0 ... push[0]) result[i] = table[image[i]];
}
