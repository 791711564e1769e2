// SPDX-License-Identifier: Apache-2.0

#include "jit/codegen/code_memory.h"

#include <llvm/ADT/BitmaskEnum.h>
#include <sys/mman.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "jit/base/error.h"
#include "runtime/executable_pages.h"
#include "runtime/pages.h"

namespace jit {
namespace {

namespace jitlink = llvm::jitlink;
namespace orc = llvm::orc;

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();  // for MemProt

bool has(orc::MemProt protection, orc::MemProt wanted) {
  return (protection & wanted) != orc::MemProt::None;
}

// Owns all pages of a kernel.
struct Pages {
  explicit Pages(size_t bytes) : address(rt::allocatePages(bytes)), bytes(bytes) {}
  ~Pages() { rt::freePages(address, bytes); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  std::byte* const address;  // null: there was no memory
  const size_t bytes;
};

// Whole pages of one protection.
struct Segment {
  std::byte* address;
  size_t bytes;
  orc::MemProt protection;

  bool protect() const {
    if (has(protection, orc::MemProt::Exec)) return rt::makeExecutable(address, bytes);
    if (has(protection, orc::MemProt::Write)) return true;
    return mprotect(address, bytes, PROT_READ) == 0;
  }
};

class Allocation final : public jitlink::JITLinkMemoryManager::InFlightAlloc {
 public:
  Allocation(std::unique_ptr<Pages> pages, std::vector<Segment> segments)
      : pages_(std::move(pages)), segments_(std::move(segments)) {}

  void abandon(OnAbandonedFunction then) override {
    pages_.reset();
    then(llvm::Error::success());
  }

  void finalize(OnFinalizedFunction then) override {
    if (!std::ranges::all_of(segments_, &Segment::protect)) {
      pages_.reset();
      return then(internal(
          "the system lets no memory become executable, not even that of a file (PR_SET_MDWE, "
          "seccomp or the like)"));
    }
    // Found again by deallocate().
    then(jitlink::JITLinkMemoryManager::FinalizedAlloc(
        orc::ExecutorAddr::fromPtr(pages_.release())));
  }

 private:
  std::unique_ptr<Pages> pages_;
  std::vector<Segment> segments_;
};

// The address of each segment of a graph, one after the other in its pages.
llvm::Expected<std::unique_ptr<Allocation>> allocationFor(jitlink::LinkGraph& graph) {
  jitlink::BasicLayout layout(graph);
  if (!layout.graphAllocActions().empty()) return internal("generated code with actions");
  auto sizes = layout.getContiguousPageBasedLayoutSizes(rt::kPageBytes);
  if (!sizes) return sizes.takeError();
  auto pages = std::make_unique<Pages>(std::max<size_t>(sizes->total(), rt::kPageBytes));
  if (pages->address == nullptr) {
    return llvm::make_error<Failure>(
        CompileError::Kind::OutOfMemory,
        "no " + std::to_string(pages->bytes) + " bytes for the code of a kernel");
  }
  std::vector<Segment> segments;
  std::byte* next = pages->address;
  for (auto& [group, segment] : layout.segments()) {
    segment.WorkingMem = reinterpret_cast<char*>(next);
    segment.Addr = orc::ExecutorAddr::fromPtr(next);
    const size_t bytes = rt::roundToPages(segment.ContentSize + segment.ZeroFillSize);
    segments.push_back({next, bytes, group.getMemProt()});
    next += bytes;
  }
  if (llvm::Error error = layout.apply()) return error;
  return std::make_unique<Allocation>(std::move(pages), std::move(segments));
}

}  // namespace

void CodeMemory::allocate(const jitlink::JITLinkDylib*, jitlink::LinkGraph& graph,
                          OnAllocatedFunction then) {
  then(allocationFor(graph));
}

void CodeMemory::deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction then) {
  for (FinalizedAlloc& allocation : allocations) delete allocation.release().toPtr<Pages*>();
  then(llvm::Error::success());
}

}  // namespace jit
