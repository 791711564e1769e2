// SPDX-License-Identifier: Apache-2.0

export void add_f16(const uniform unsigned int32 push[], const uniform float16 a[],
                    const uniform float16 b[], uniform float16 c[]) {
  foreach (i = 0 ... push[0]) c[i] = (float16)((float)a[i] + (float)b[i]);
}
