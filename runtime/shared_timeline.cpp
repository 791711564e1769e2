// SPDX-License-Identifier: Apache-2.0

#include "runtime/shared_timeline.h"

#include <new>

#include "runtime/pages.h"

namespace rt {

struct SharedTimeline::Page {
  // Changes with the layout of what follows: processes may run different versions of the driver.
  static constexpr uint64_t kMagic = 0x31656e696c656d74;  // "tmeline1"

  uint64_t magic;
  SharedKind kind;
  TimelineState state;
};

static_assert(std::atomic<uint64_t>::is_always_lock_free);

SharedTimeline::Page* SharedTimeline::map(const SharedFile& file) {
  return reinterpret_cast<Page*>(mapPages(file.descriptor(), sizeof(Page)));
}

SharedTimeline::~SharedTimeline() { freePages(reinterpret_cast<std::byte*>(page_), sizeof(Page)); }

std::optional<SharedTimeline> SharedTimeline::create(SharedKind kind, uint64_t value,
                                                     uint64_t target) {
  std::optional<SharedFile> file = SharedFile::create(sizeof(Page));
  if (!file) return std::nullopt;
  Page* page = map(*file);
  if (!page) return std::nullopt;
  new (page) Page{Page::kMagic, kind, {.value = value, .target = target, .doorbell = 0}};
  return SharedTimeline(std::move(*file), page);
}

std::optional<SharedTimeline> SharedTimeline::adopt(int descriptor, SharedKind kind) {
  std::optional<SharedFile> file = SharedFile::adopt(descriptor, sizeof(Page));
  if (!file) return std::nullopt;
  Page* page = map(*file);
  if (page && page->magic == Page::kMagic && page->kind == kind)
    return SharedTimeline(std::move(*file), page);
  freePages(reinterpret_cast<std::byte*>(page), sizeof(Page));
  file->release();
  return std::nullopt;
}

TimelineState& SharedTimeline::state() const { return page_->state; }

}  // namespace rt
