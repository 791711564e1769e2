// SPDX-License-Identifier: Apache-2.0

export void silu_mul(const uniform unsigned int32 push[], const uniform float gate[],
                     const uniform float up[], uniform float y[]) {
  foreach (i = 0 ... push[0]) y[i] = gate[i] / (1 + exp(-gate[i])) * up[i];
}
