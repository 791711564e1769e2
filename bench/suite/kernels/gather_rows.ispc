// SPDX-License-Identifier: Apache-2.0

export void gather_rows(const uniform unsigned int32 push[], const uniform unsigned int32 ids[],
                        const uniform float table[], uniform float rows[]) {
  const uniform int size = push[0];
  for (uniform int row = 0; row < 4096; ++row) {
    const uniform int from = ids[row] * size, to = row * size;
    foreach (column = 0 ... size) rows[to + column] = table[from + column];
  }
}
