// SPDX-License-Identifier: Apache-2.0

export void bfs_step(const uniform unsigned int32 push[], const uniform unsigned int32 starts[],
                     const uniform unsigned int32 neighbours[],
                     const uniform unsigned int32 frontier[], uniform unsigned int32 levels[]) {
  const uniform unsigned int level = push[1];
  foreach (vertex = 0 ... push[0]) {
    if (frontier[vertex] == 0) {
      const unsigned int end = starts[vertex + 1];
      for (unsigned int e = starts[vertex]; e < end; ++e) {
        const unsigned int other = neighbours[e];
        if (levels[other] > level) levels[other] = level;
      }
    }
  }
}
