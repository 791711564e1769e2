// SPDX-License-Identifier: Apache-2.0

export void gelu(const uniform unsigned int32 push[], const uniform float x[], uniform float y[]) {
  foreach (i = 0 ... push[0]) {
    const float v = x[i];
    const float inner = 0.7978845608f * (v + 0.044715f * v * v * v);
    y[i] = v - v / (exp(2 * inner) + 1);
  }
}
