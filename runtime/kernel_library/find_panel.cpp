// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/find_panel.h"

#include "runtime/kernel_library/panel_key.h"
#include "runtime/panel_cache.h"

namespace rt {

MarkedPanel findPanel(const TileDescriptor* descriptors, uint64_t tiles, uint64_t capacity,
                      uint64_t steps, uint64_t form, uint64_t bytes) {
  PanelCache* cache = panelCache();
  if (!cache) return {nullptr, nullptr};
  const PanelKey key(descriptors, tiles, capacity, steps);
  const PanelCache::Panel panel = cache->find(key.words(), form, bytes);
  return {panel.memory && !panel.is_packed ? panel.memory + 1 : panel.memory, panel.next};
}

}  // namespace rt
