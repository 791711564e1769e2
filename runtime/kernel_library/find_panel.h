// SPDX-License-Identifier: Apache-2.0

// How kernels look packed panels up in the cache of their worker (runtime/panel_cache.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace rt {

// PanelCache::Panel in registers, with a mark.
struct MarkedPanel {
  std::byte* memory;  // the lowest bit is set when the panel is to be packed
  const std::byte* next;
};

// Called by generated code: PanelCache::find in the cache of the thread.
MarkedPanel findPanel(const uint64_t* key, uint64_t key_words, uint64_t form, uint64_t bytes);

}  // namespace rt
