// SPDX-License-Identifier: Apache-2.0

export void saxpy(const uniform unsigned int32 push[], const uniform float x[], uniform float y[]) {
  const uniform float a = floatbits(push[0]);
  foreach (i = 0 ... push[1]) y[i] = a * x[i] + y[i];
}
