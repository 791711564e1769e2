// SPDX-License-Identifier: Apache-2.0

export void attention(const uniform unsigned int32 push[], const uniform float query[],
                      const uniform float keys[], const uniform float values[],
                      uniform float result[]) {
  const uniform int n = push[0];
  for (uniform int head = 0; head < 64; ++head) {
    uniform float scores[256];
    uniform float most = -1e30f;
    for (uniform int k = 0; k < n; ++k) {
      float score = 0;
      foreach (d = 0 ... 64) score += query[head * 64 + d] * keys[(head * n + k) * 64 + d];
      scores[k] = reduce_add(score) * 0.125f;
      most = max(most, scores[k]);
    }
    float sum = 0;
    foreach (k = 0 ... n) {
      scores[k] = exp(scores[k] - most);
      sum += scores[k];
    }
    const uniform float scale = 1 / reduce_add(sum);
    foreach (d = 0 ... 64) {
      float value = 0;
      for (uniform int k = 0; k < n; ++k) value += scores[k] * values[(head * n + k) * 64 + d];
      result[head * 64 + d] = value * scale;
    }
  }
}
