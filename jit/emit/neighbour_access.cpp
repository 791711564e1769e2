// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/neighbour_access.h"

#include <algorithm>
#include <bit>

#include "jit/emit/leafwise.h"
#include "jit/spirv/memory_layout.h"

namespace jit::spirv {

namespace {

constexpr uint64_t kMostScalars = 8;  // of a group

}  // namespace

NeighbourAccess::NeighbourAccess(Emission& e) : e_(e), groups_(e.module, kMostScalars) {}

// Whether lanes of `unit` bytes each do not overlap: those that go on by less are vectors already,
// each element by itself. What all lanes, or each half of them, have in common is one number
// (emit_tested.cpp).
bool NeighbourAccess::gains(const Pointer& p, uint64_t unit) const {
  const LaneForm* form = e_.laneForm(p.offset);
  if (form == nullptr || form->shape.any != 0) return false;
  const auto bits = static_cast<unsigned>(std::countr_zero(e_.stream_.width));
  unsigned apart = 0;
  for (unsigned b = 0; b < bits; ++b) {
    const bool is_runtime = (form->shape.runtime >> b & 1) != 0;
    const uint64_t weight = form->shape.weights[b];
    if (!is_runtime && weight == 0) continue;
    if (!is_runtime && std::min(weight, 0 - weight) < unit) return false;
    ++apart;
  }
  return apart > 1;
}

// The element that is `distance` behind the one to which an access chain leads. The index is moved
// as the shader moves it: an unsigned one that is just before the start comes back into the array.
llvm::Expected<Pointer> NeighbourAccess::elementPast(const Instruction& chain, uint64_t distance) {
  llvm::Expected<Pointer> p = e_.pointer(chain.operands[0]);
  if (!p) return p.takeError();
  for (size_t k = 1; k < chain.operands.size(); ++k) {
    llvm::Expected<Value> index = e_.value(chain.operands[k]);
    if (!index) return index.takeError();
    llvm::Value* number = index->leaves[0];
    const bool is_last = k + 1 == chain.operands.size();
    if (is_last) number = e_.ir.CreateAdd(number, integerLike(number, distance));
    if (llvm::Error error =
            e_.step(*p, number, index->type->is_signed,
                    is_last ? nullptr : e_.module.constant(chain.operands[k]), chain))
      return error;
  }
  return p;
}

// All at once if the test holds. Otherwise each is inside or outside by itself.
llvm::Expected<Value> NeighbourAccess::loadTested(const LoadGroup& group, const Pointer& p,
                                                  llvm::ArrayRef<LeafLayout> leaves,
                                                  const TestedAddress& tested) {
  const size_t each = leaves.size() / group.loads.size();
  auto access = [&](const Pointer& target, Value& result) -> llvm::Error {
    if (&target == &tested.together) {
      llvm::Expected<Value> all = e_.loadLeaves(target, leaves);
      if (!all) return all.takeError();
      result = std::move(*all);
      return llvm::Error::success();
    }
    result.type = p.pointee;
    for (size_t k = 0; k < group.loads.size(); ++k) {
      llvm::Expected<Pointer> element = elementPast(*group.chain, k);
      if (!element) return element.takeError();
      llvm::Expected<Value> one = e_.loadLeaves(*element, leaves.take_front(each));
      if (!one) return one.takeError();
      for (llvm::Value* leaf : one->leaves) result.leaves.push_back(e_.simt.broadcast(leaf));
    }
    return llvm::Error::success();
  };
  Value loaded;
  if (llvm::Error error = e_.accessAsTested(p, tested, access, loaded)) return error;
  return loaded;
}

llvm::Expected<Value> NeighbourAccess::load(const Instruction& i, const Pointer& p) {
  if (auto ahead = ahead_.find(i.result); ahead != ahead_.end()) {
    Value value = std::move(ahead->second);
    ahead_.erase(ahead);
    return value;
  }
  const LoadGroup* group = groups_.beginningWith(i.result);
  if (group == nullptr || !e_.expectsLanes() || !e_.isForRuns(p) || !e_.simt.isVarying(p.offset))
    return Value{};
  const uint64_t stride = elementStride(group->array, p.explicit_layout);
  llvm::SmallVector<LeafLayout, 8> leaves;
  for (size_t k = 0; k < group->loads.size(); ++k)
    leafLayouts(p.pointee, k * stride, p.explicit_layout, p.matrix, p.component_stride, leaves);
  const uint64_t bytes = memberBytes(leaves, leaves.size());
  if (bytes == 0 || stride * group->loads.size() != bytes * leaves.size()) return Value{};

  const std::optional<TestedAddress> tested = e_.testedAddress(p, leaves, false);
  const Pointer& together = tested ? tested->together : p;
  // Behind a mask of their own each is as good as all.
  if (together.size != nullptr || !gains(together, stride * group->loads.size())) return Value{};
  llvm::Expected<Value> loaded =
      tested ? loadTested(*group, p, leaves, *tested) : e_.loadLeaves(p, leaves);
  if (!loaded) return loaded.takeError();
  const size_t each = leaves.size() / group->loads.size();
  Value first;
  for (size_t k = 0; k < group->loads.size(); ++k) {
    Value element{i.type, {}};
    element.leaves.append(loaded->leaves.begin() + k * each,
                          loaded->leaves.begin() + (k + 1) * each);
    (k == 0 ? first : ahead_[group->loads[k]]) = std::move(element);
  }
  return first;
}

}  // namespace jit::spirv
