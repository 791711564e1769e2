// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/neighbour_loads.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/plain_loads.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

// Of factors, and of numbers before they are multiplied.
constexpr int64_t kMostBits = 30;

// An index as a value times a factor, and a number that is added; no value: a constant.
struct SplitIndex {
  Id root = 0;
  uint64_t factor = 0;
  int64_t number = 0;
};

// One element of an array.
struct Element {
  const Type* array = nullptr;
  const Instruction* chain = nullptr;
  std::vector<Id> way;  // to the array: a pointer, and indices
  SplitIndex index;
};

struct Neighbour {
  Id load;
  const Instruction* chain;
  int64_t number;
};

class NeighbourSearch {
 public:
  NeighbourSearch(const Module& module, uint64_t most_scalars,
                  llvm::DenseMap<Id, LoadGroup>& groups)
      : module_(module), plain_(module), most_scalars_(most_scalars), groups_(groups) {
    for (const Block& block : module_.entry.blocks)
      for (const Instruction& i : block.instructions)
        if (i.op == spv::Op::OpIAdd || i.op == spv::Op::OpISub || i.op == spv::Op::OpIMul ||
            i.op == spv::Op::OpShiftLeftLogical || i.op == spv::Op::OpCopyObject ||
            isAccessChain(i.op))
          definitions_[i.result] = &i;
    for (const auto* list : {&module_.variables, &module_.entry.variables})
      for (const Variable& v : *list) types_[v.id] = v.type;
  }

  void run() {
    for (const Block& block : module_.entry.blocks) {
      for (const Instruction& i : block.instructions) {
        if (plain_.mayWrite(i)) close();
        if (i.op != spv::Op::OpLoad || !plain_.isPlainLoad(i, baseOf(i.operands[0]))) continue;
        if (std::optional<Element> element = elementAt(i)) note(i, *element);
      }
      close();
    }
  }

 private:
  // Arrays of one kind of elements that lie without gaps.
  struct Row {
    const Type* array;
    std::vector<Neighbour> neighbours;  // in the order of the code
  };

  Id original(Id id) const {
    for (auto copy = definitions_.find(id);
         copy != definitions_.end() && copy->second->op == spv::Op::OpCopyObject;
         copy = definitions_.find(id))
      id = copy->second->operands[0];
    return id;
  }

  Id baseOf(Id pointer) const {
    for (auto chain = definitions_.find(pointer);
         chain != definitions_.end() && isAccessChain(chain->second->op);
         chain = definitions_.find(pointer))
      pointer = chain->second->operands[0];
    return pointer;
  }

  SplitIndex split(Id index) const {
    SplitIndex result;
    uint64_t factor = 1;
    for (;;) {
      if (const auto constant = constantOf(index)) {
        result.number += static_cast<int64_t>(factor) * *constant;
        return result;
      }
      const auto found = definitions_.find(index);
      if (found == definitions_.end()) break;
      const Instruction& i = *found->second;
      if (isAccessChain(i.op)) break;
      if (i.op == spv::Op::OpCopyObject) {
        index = i.operands[0];
        continue;
      }
      std::optional<int64_t> constant = constantOf(i.operands[1]);
      Id other = i.operands[0];
      if (!constant && (i.op == spv::Op::OpIAdd || i.op == spv::Op::OpIMul)) {
        constant = constantOf(i.operands[0]);
        other = i.operands[1];
      }
      if (!constant) break;
      if (i.op == spv::Op::OpIAdd || i.op == spv::Op::OpISub) {
        const int64_t added = static_cast<int64_t>(factor) * *constant;
        result.number += i.op == spv::Op::OpIAdd ? added : -added;
      } else {
        const bool is_shift = i.op == spv::Op::OpShiftLeftLogical;
        if (*constant <= 0 || (is_shift && *constant >= kMostBits)) break;
        const uint64_t more =
            is_shift ? uint64_t{1} << *constant : static_cast<uint64_t>(*constant);
        if (factor * more >= uint64_t{1} << kMostBits) break;
        factor *= more;
      }
      index = other;
      // Sums of such numbers do not overflow.
      if (std::abs(result.number) > int64_t{1} << (2 * kMostBits)) return {};
    }
    result.root = index;
    result.factor = factor;
    return result;
  }

  // Of an index; small, so that sums of a few do not overflow.
  std::optional<int64_t> constantOf(Id id) const {
    constexpr int64_t kMost = int64_t{1} << kMostBits;
    const Constant* constant = module_.constant(id);
    if (constant == nullptr || constant->type->kind != TypeKind::Int ||
        constant->leaves.size() != 1 || constant->type->width > 64)
      return std::nullopt;
    const unsigned unused = 64 - constant->type->width;
    const auto number = static_cast<int64_t>(constant->leaves[0] << unused) >> unused;
    if (number >= kMost || number < -kMost) return std::nullopt;
    return number;
  }

  const Type* pointee(Id pointer) const {
    if (const auto chain = definitions_.find(pointer); chain != definitions_.end())
      return chain->second->type->element;
    const auto variable = types_.find(pointer);
    return variable == types_.end() ? nullptr : variable->second->element;
  }

  std::optional<Element> elementAt(const Instruction& load) const {
    const auto found = definitions_.find(load.operands[0]);
    if (found == definitions_.end() || !isAccessChain(found->second->op)) return std::nullopt;
    const Instruction& chain = *found->second;
    // An element is as large as its stride says, and no pointer.
    constexpr size_t kFirstIndex = 1;
    if (chain.op == spv::Op::OpPtrAccessChain || chain.op == spv::Op::OpInBoundsPtrAccessChain ||
        chain.type->untyped || chain.operands.size() <= kFirstIndex)
      return std::nullopt;
    const spv::StorageClass storage = chain.type->storage;
    if (storage != spv::StorageClass::StorageBuffer && storage != spv::StorageClass::Uniform)
      return std::nullopt;
    Element element{pointee(chain.operands[0]), &chain, {chain.operands[0]}, {}};
    for (size_t k = kFirstIndex; k + 1 < chain.operands.size(); ++k) {
      if (element.array == nullptr) return std::nullopt;
      const Constant* index = module_.constant(chain.operands[k]);
      if (element.array->kind == TypeKind::Struct)
        element.array = componentType(*element.array, static_cast<uint32_t>(index->leaves[0]));
      else
        element.array = element.array->element;
      element.way.push_back(original(chain.operands[k]));
    }
    const Type* array = element.array;
    if (array == nullptr ||
        (array->kind != TypeKind::Array && array->kind != TypeKind::RuntimeArray) ||
        array->element != load.type)
      return std::nullopt;
    element.index = split(chain.operands.back());
    return element;
  }

  void note(const Instruction& load, const Element& element) {
    std::vector<Id> key = element.way;
    key.push_back(element.index.root);
    key.push_back(static_cast<uint32_t>(element.index.factor));
    Row& row = rows_[std::move(key)];
    row.array = element.array;
    row.neighbours.push_back({load.result, element.chain, element.index.number});
  }

  void close() {
    for (auto& [way, row] : rows_) group(row);
    rows_.clear();
  }

  // Each load, in the order of the code, with those of the elements behind it.
  void group(const Row& row) {
    std::map<int64_t, Id> left;
    for (const Neighbour& n : row.neighbours) left.try_emplace(n.number, n.load);
    const uint64_t most = most_scalars_ / row.array->element->leaves();
    for (const Neighbour& first : row.neighbours) {
      auto next = left.find(first.number);
      if (next == left.end() || next->second != first.load) continue;
      LoadGroup group{row.array, first.chain, {}};
      for (int64_t number = first.number;
           next != left.end() && next->first == number && group.loads.size() < most; ++number) {
        group.loads.push_back(next->second);
        next = left.erase(next);
      }
      if (group.loads.size() > 1) groups_.try_emplace(first.load, std::move(group));
    }
  }

  const Module& module_;
  const PlainLoads plain_;
  const uint64_t most_scalars_;
  llvm::DenseMap<Id, LoadGroup>& groups_;
  std::unordered_map<Id, const Instruction*> definitions_;  // of indices and pointers
  std::unordered_map<Id, const Type*> types_;               // of variables
  std::map<std::vector<Id>, Row> rows_;                     // without writes in between
};

}  // namespace

NeighbourLoads::NeighbourLoads(const Module& module, uint64_t most_scalars) {
  NeighbourSearch(module, most_scalars, groups_).run();
}

}  // namespace jit::spirv
