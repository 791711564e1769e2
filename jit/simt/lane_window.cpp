// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/lane_window.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "jit/simt/access_place.h"
#include "jit/simt/masked_access.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;

// The elements that lanes take of what lies from lane 0's place + `first` bytes on.
struct Window {
  int64_t first = 0;
  unsigned elements = 0;
  llvm::SmallVector<int, 64> chosen;  // by lane
};

std::optional<Window> windowOf(const llvm::ConstantDataVector& lanes, int64_t bytes,
                               int64_t most_bytes) {
  auto at = [&](unsigned l) { return static_cast<int64_t>(lanes.getElementAsInteger(l)); };
  int64_t least = std::numeric_limits<int64_t>::max(), most = std::numeric_limits<int64_t>::min();
  for (unsigned l = 0; l < lanes.getNumElements(); ++l) {
    least = std::min(least, at(l));
    most = std::max(most, at(l));
  }
  // Differences of all 64 bits are far, too.
  if (least < most - most_bytes || least > most) return std::nullopt;
  if (most - least + bytes > most_bytes) return std::nullopt;
  Window window{least - at(0), static_cast<unsigned>((most - least) / bytes) + 1, {}};
  for (unsigned l = 0; l < lanes.getNumElements(); ++l) {
    if ((at(l) - least) % bytes != 0) return std::nullopt;
    window.chosen.push_back(static_cast<int>((at(l) - least) / bytes));
  }
  return window;
}

bool narrow(llvm::Instruction& i, unsigned vector_bytes, bool masked_access) {
  const auto access = matchMaskedAccess(i);
  if (!access || !access->reads || !access->isApart() || !match(access->mask, m_AllOnes()) ||
      access->type()->getElementType()->isPointerTy())
    return false;
  const Place place = placeOf(access->pointers, i.getDataLayout(), /*in_objects=*/false);
  if (place.lanes == nullptr || place.index != nullptr) return false;
  llvm::Type* element = access->type()->getElementType();
  const auto bytes = static_cast<int64_t>(i.getDataLayout().getTypeStoreSize(element));
  auto window = windowOf(*place.lanes, bytes, 2 * int64_t{vector_bytes});
  if (!window) return false;
  const unsigned loaded = std::bit_ceil(window->elements);
  const bool is_whole = loaded == window->elements;
  if (!is_whole && (!masked_access || bytes < 4)) return false;
  llvm::IRBuilder<> ir(&i);
  Value* first = firstLaneOf(ir, access->pointers);
  if (first == nullptr) return false;
  first = ir.CreateGEP(ir.getInt8Ty(), first, ir.getInt64(static_cast<uint64_t>(window->first)));
  auto* type = llvm::FixedVectorType::get(element, loaded);
  Value* all = nullptr;
  if (is_whole) {
    all = ir.CreateAlignedLoad(type, first, access->alignment);
  } else {
    llvm::SmallVector<llvm::Constant*, 64> read;
    for (unsigned e = 0; e < loaded; ++e) read.push_back(ir.getInt1(e < window->elements));
    all = ir.CreateMaskedLoad(type, first, access->alignment, llvm::ConstantVector::get(read),
                              llvm::Constant::getNullValue(type));
  }
  i.replaceAllUsesWith(ir.CreateShuffleVector(all, window->chosen));
  i.eraseFromParent();
  return true;
}

}  // namespace

bool loadLaneWindows(llvm::Function& function, unsigned vector_bytes, bool masked_access) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function)))
    changed |= narrow(i, vector_bytes, masked_access);
  return changed;
}

}  // namespace jit::simt
