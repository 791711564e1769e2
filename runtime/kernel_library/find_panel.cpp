// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/find_panel.h"

#include "runtime/panel_cache.h"

namespace rt {

MarkedPanel findPanel(const uint64_t* key, uint64_t key_words, uint64_t form, uint64_t bytes) {
  PanelCache* cache = panelCache();
  if (!cache) return {nullptr, nullptr};
  const PanelCache::Panel panel = cache->find({key, key_words}, form, bytes);
  return {panel.memory && !panel.is_packed ? panel.memory + 1 : panel.memory, panel.next};
}

}  // namespace rt
