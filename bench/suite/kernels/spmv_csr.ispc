// SPDX-License-Identifier: Apache-2.0

export void spmv_csr(const uniform unsigned int32 push[], const uniform unsigned int32 starts[],
                     const uniform unsigned int32 columns[], const uniform float values[],
                     const uniform float x[], uniform float y[]) {
  foreach (row = 0 ... push[0]) {
    const unsigned int end = starts[row + 1];
    float sum = 0;
    for (unsigned int k = starts[row]; k < end; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}
