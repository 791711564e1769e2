// SPDX-License-Identifier: Apache-2.0

export void triad_f64(const uniform unsigned int32 push[], uniform double a[],
                      const uniform double b[], const uniform double c[]) {
  foreach (i = 0 ... push[0]) a[i] = b[i] + 3.0d * c[i];
}
