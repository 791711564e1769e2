// SPDX-License-Identifier: Apache-2.0

// How kernels look packed panels up in the cache of their worker (runtime/panel_cache.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/kernel_library/tile_prefetch.h"

namespace rt {

// PanelCache::Panel in registers, with a mark.
struct MarkedPanel {
  std::byte* memory;  // the lowest bit is set when the panel is to be packed
  const std::byte* next;
};

// Called by generated code: PanelCache::find in the cache of the thread, of the panel that is
// packed from `tiles` tiles, `capacity` descriptors each, of which the first `steps` are in use
// (PanelKey).
MarkedPanel findPanel(const TileDescriptor* descriptors, uint64_t tiles, uint64_t capacity,
                      uint64_t steps, uint64_t form, uint64_t bytes);

}  // namespace rt
