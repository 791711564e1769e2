// SPDX-License-Identifier: Apache-2.0

// What each subgroup of a wide stream does for itself: group operations, and all that has to do
// with matrices of Subgroup scope. An instruction is emitted once, for a subgroup's invocations, in
// a loop over the subgroups: what it takes and gives lies in memory, side by side, where an
// iteration of the loop finds its subgroup's part. So the functions that emit such instructions
// know nothing of wide streams, and the code's size does not depend on the width. A subgroup
// without live invocations has no iteration.
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>

#include "jit/emit/emission.h"
#include "jit/emit/opcode_rows.h"
#include "jit/ir/matrix_ops.h"
#include "jit/simt/lane_loop.h"
#include "jit/spirv/group_instruction.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

// Slots for what a stream's subgroups have side by side, a part of a vector each:
// vectors of the stream's width, and matrices.
class StreamMemory {
 public:
  StreamMemory(Emission& e, uint32_t subgroups) : e_(e), subgroups_(subgroups) {}

  // For a part from each subgroup.
  llvm::AllocaInst* makeSlot(llvm::FixedVectorType* part) {
    auto* all =
        llvm::FixedVectorType::get(part->getElementType(), part->getNumElements() * subgroups_);
    return e_.laneSlot(inMemory(all), next_++);
  }
  llvm::AllocaInst* write(llvm::Value* v) {
    llvm::AllocaInst* slot =
        e_.laneSlot(inMemory(llvm::cast<llvm::FixedVectorType>(v->getType())), next_++);
    e_.writeSlot(slot, e_.ir.CreateBitCast(v, slot->getAllocatedType()));
    return slot;
  }
  llvm::Value* read(llvm::AllocaInst* slot, llvm::FixedVectorType* part) {
    auto* all =
        llvm::FixedVectorType::get(part->getElementType(), part->getNumElements() * subgroups_);
    return e_.ir.CreateBitCast(e_.readSlot(slot), all);
  }
  // The part of `all`, which lies in `slot`.
  llvm::Value* readPart(llvm::AllocaInst* slot, llvm::Value* all, llvm::Value* subgroup) {
    auto* type = llvm::cast<llvm::FixedVectorType>(all->getType());
    auto* part =
        llvm::FixedVectorType::get(type->getElementType(), type->getNumElements() / subgroups_);
    llvm::Value* v =
        e_.ir.CreateAlignedLoad(inMemory(part), partOf(slot, part, subgroup), alignmentOf(part));
    return e_.ir.CreateBitCast(v, part);
  }
  void writePart(llvm::AllocaInst* slot, llvm::Value* v, llvm::Value* subgroup) {
    auto* part = llvm::cast<llvm::FixedVectorType>(v->getType());
    e_.ir.CreateAlignedStore(e_.ir.CreateBitCast(v, inMemory(part)), partOf(slot, part, subgroup),
                             alignmentOf(part));
  }

 private:
  static uint64_t bytesOf(llvm::FixedVectorType* part) {
    llvm::Type* element = part->getElementType();
    return uint64_t{part->getNumElements()} *
           (element->isPointerTy() ? 64 : element->getPrimitiveSizeInBits().getFixedValue()) / 8;
  }
  // Subgroups, and the sides of matrices, have powers of two in them; more than this is not needed.
  static llvm::Align alignmentOf(llvm::FixedVectorType* part) {
    return llvm::commonAlignment(llvm::Align(64), bytesOf(part));
  }
  // Masks are integers there: a bit for each invocation.
  llvm::Type* inMemory(llvm::FixedVectorType* type) const {
    if (!type->getElementType()->isIntegerTy(1)) return type;
    return e_.ir.getIntNTy(type->getNumElements());
  }
  llvm::Value* partOf(llvm::AllocaInst* slot, llvm::FixedVectorType* part, llvm::Value* subgroup) {
    return e_.ir.CreateInBoundsGEP(e_.ir.getInt8Ty(), slot,
                                   e_.ir.CreateMul(subgroup, e_.ir.getInt64(bytesOf(part))));
  }

  Emission& e_;
  const uint32_t subgroups_;
  unsigned next_ = 0;
};

// What an operand consists of, and where what subgroups have apart lies; null: it is all of theirs.
struct Part {
  llvm::Value* whole;
  llvm::AllocaInst* slot;
};

// A pointer to matrices of all subgroups becomes one to the subgroup's own.
void toOwnMatrix(Emission& e, Pointer& p, llvm::Value* subgroup) {
  p.base = e.leafAddress(e.clamped(p, {{p.pointee, 0}}), 0, 0);
  if (p.size != nullptr) p.size = e.ir.getInt64(p.pointee->naturalSize() * p.copies);
  p.offset = e.ir.CreateMul(subgroup, e.ir.getInt64(p.pointee->naturalSize()));
  p.copies = 1;
}

}  // namespace

llvm::Expected<Value> Emission::valueInSubgroup(Id id) {
  const auto& values = laneContext().subgroup->values;
  auto value = values.find(id);
  if (value != values.end()) return value->second;
  const auto& pointers = laneContext().subgroup->pointers;
  auto pointer = pointers.find(id);
  if (pointer != pointers.end()) return flattened(pointer->second, typeOf(id));
  return malformed(module.describe(id) + " is no operand that each subgroup has");
}

llvm::Expected<Pointer> Emission::pointerInSubgroup(Id id) {
  const auto& pointers = laneContext().subgroup->pointers;
  auto pointer = pointers.find(id);
  if (pointer != pointers.end()) return pointer->second;
  return malformed(module.describe(id) + " is no pointer that each subgroup has");
}

// Whole matrices are loaded from and stored to variables for all subgroups at once.
bool Emission::bySubgroup(const Instruction& i) const {
  if (stream_.width == subgroup_size) return false;
  if (groupInstruction(i)) return true;
  if (accessesObject(i.op)) return false;
  auto holds = [](const Type* type) {
    return type != nullptr && holdsMatrix(type, spv::Scope::Subgroup);
  };
  return holds(i.type) || llvm::any_of(valueOperands(i), [&](Id id) { return holds(typeOf(id)); });
}

llvm::Value* Emission::chosenBySubgroup(llvm::Value* lanes, llvm::Value* chosen,
                                        llvm::Value* otherwise) {
  auto* type = llvm::cast<llvm::FixedVectorType>(chosen->getType());
  const uint32_t subgroups = stream_.width / subgroup_size,
                 elements = type->getNumElements() / subgroups;
  auto* words = llvm::FixedVectorType::get(ir.getIntNTy(subgroup_size), subgroups);
  llvm::Value* any =
      ir.CreateICmpNE(ir.CreateBitCast(lanes, words), llvm::Constant::getNullValue(words));
  if (type->getNumElements() <= coopmat::kMostElementsInRegisters) {
    llvm::SmallVector<int, 256> owners;
    for (uint32_t k = 0; k < subgroups * elements; ++k)
      owners.push_back(static_cast<int>(k / elements));
    return ir.CreateSelect(ir.CreateShuffleVector(any, owners), chosen, otherwise);
  }
  // With a mask of whole elements, since it is in memory like all that is as large.
  const uint64_t element_bits = type->getScalarSizeInBits(), bytes = elements * element_bits / 8;
  llvm::Value* bytes_of_mask = staging(bytes * subgroups);
  for (uint32_t k = 0; k < subgroups; ++k) {
    ir.CreateMemSet(ir.CreateConstGEP1_64(ir.getInt8Ty(), bytes_of_mask, k * bytes),
                    ir.CreateSExt(ir.CreateExtractElement(any, k), ir.getInt8Ty()), bytes,
                    llvm::Align(1));
  }
  auto* bits = llvm::FixedVectorType::get(ir.getIntNTy(static_cast<unsigned>(element_bits)),
                                          type->getNumElements());
  llvm::Value* mask = ir.CreateAlignedLoad(bits, bytes_of_mask, llvm::Align(1));
  return ir.CreateBitCast(
      ir.CreateOr(ir.CreateAnd(ir.CreateBitCast(chosen, bits), mask),
                  ir.CreateAnd(ir.CreateBitCast(otherwise, bits), ir.CreateNot(mask))),
      type);
}

llvm::Error Emission::emitBySubgroup(const OpcodeRow& row, const Instruction& i) {
  const uint32_t subgroups = stream_.width / subgroup_size;
  StreamMemory memory(*this, subgroups);
  llvm::Value* stream_mask = simt.mask;
  llvm::AllocaInst* mask = stream_mask == nullptr ? nullptr : memory.write(stream_mask);
  // Only a check asks which lanes of a subgroup there are.
  llvm::Value* there = request.checks.has(rt::Check::Uniform) ? existing() : nullptr;
  llvm::AllocaInst* there_slot = there == nullptr ? nullptr : memory.write(there);
  llvm::SmallPtrSet<llvm::Value*, 8> shared;  // by all subgroups
  auto split = [&](llvm::Value* whole, bool is_shared) {
    if (!is_shared) return Part{whole, memory.write(whole)};
    shared.insert(whole);
    return Part{whole, nullptr};
  };
  auto partOf = [&](const Part& part, llvm::Value* subgroup) {
    return part.slot == nullptr ? part.whole : memory.readPart(part.slot, part.whole, subgroup);
  };

  struct Operand {
    Id id;
    const Type* type;
    llvm::SmallVector<Part, 4> leaves;
  };
  struct PointerOperand {
    Id id;
    Pointer pointer;
    Part base, offset, size, range;
  };
  llvm::SmallVector<Operand, 4> operands;
  llvm::SmallVector<PointerOperand, 1> pointer_operands;
  for (Id id : valueOperands(i)) {
    if (module.constant(id) != nullptr || module.strings.contains(id)) continue;
    const Type* type = typeOf(id);
    if (type != nullptr && type->kind == TypeKind::Pointer) {
      llvm::Expected<Pointer> p = pointer(id);
      if (!p) return p.takeError();
      auto splitPart = [&](llvm::Value* part) {
        return split(part, part == nullptr || !simt.isVarying(part));
      };
      pointer_operands.push_back({id, *p, splitPart(p->base), splitPart(p->offset),
                                  splitPart(p->size), splitPart(p->range)});
      continue;
    }
    llvm::Expected<Value> v = value(id);
    if (!v) return v.takeError();
    llvm::SmallVector<const Type*, 4> types;
    leafTypes(v->type, types);
    Operand operand{id, v->type, {}};
    for (size_t k = 0; k < v->leaves.size(); ++k) {
      const bool workgroups =
          types[k]->kind == TypeKind::CooperativeMatrix && types[k]->scope == spv::Scope::Workgroup;
      operand.leaves.push_back(split(v->leaves[k], workgroups || !simt.isVarying(v->leaves[k])));
    }
    operands.push_back(std::move(operand));
  }

  SubgroupOperands own;
  std::optional<Value> given;
  llvm::BasicBlock* before = ir.GetInsertBlock();
  llvm::SmallVector<llvm::AllocaInst*, 4> results;
  std::optional<llvm::Error> failure;
  auto iteration = [&](llvm::Value* subgroup) {
    for (const Operand& operand : operands) {
      Value part{operand.type, {}};
      for (const Part& leaf : operand.leaves) part.leaves.push_back(partOf(leaf, subgroup));
      own.values.try_emplace(operand.id, std::move(part));
    }
    for (const PointerOperand& operand : pointer_operands) {
      Pointer part = operand.pointer;
      part.base = partOf(operand.base, subgroup);
      part.offset = partOf(operand.offset, subgroup);
      part.size = partOf(operand.size, subgroup);
      part.range = partOf(operand.range, subgroup);
      if (part.copies > 1) toOwnMatrix(*this, part, subgroup);
      own.pointers.try_emplace(operand.id, std::move(part));
    }
    if (llvm::Error error = row.emit(*this, i)) {
      failure = std::move(error);
      return;
    }
    if (!given) return;
    for (llvm::Value*& leaf : given->leaves) {
      // What all of the stream share stays as it is.
      const bool is_shared =
          shared.contains(leaf) || (!simt.isVarying(leaf) && llvm::isa<llvm::Constant>(leaf));
      if (!is_shared) {
        leaf = simt.broadcast(leaf);
        results.push_back(memory.makeSlot(llvm::cast<llvm::FixedVectorType>(leaf->getType())));
        memory.writePart(results.back(), leaf, subgroup);
      } else {
        results.push_back(nullptr);
      }
    }
  };
  simt::forEachIndex(simt, subgroups, [&](llvm::Value* subgroup) {
    llvm::Value* live = mask == nullptr ? nullptr : memory.readPart(mask, stream_mask, subgroup);
    LaneContext context = LaneContext::ofSubgroup(subgroup_size, own, given);
    if (there != nullptr) context.existing = memory.readPart(there_slot, there, subgroup);
    const LaneScope scope(lane_context_, simt, std::move(context), live);
    if (live == nullptr)
      iteration(subgroup);
    else
      simt::ifHolds(simt, simt.any(live), [&] { iteration(subgroup); });
  });
  if (failure) return std::move(*failure);
  if (!given) return llvm::Error::success();

  Value result{i.type, {}};
  for (size_t k = 0; k < results.size(); ++k) {
    llvm::Value* leaf = given->leaves[k];
    if (results[k] != nullptr) {
      // Subgroups without live invocations leave what is there.
      if (mask != nullptr)
        llvm::IRBuilder<>(before->getTerminator())
            .CreateAlignedStore(llvm::Constant::getNullValue(results[k]->getAllocatedType()),
                                results[k], llvm::Align(64));
      leaf = memory.read(results[k], llvm::cast<llvm::FixedVectorType>(leaf->getType()));
    }
    result.leaves.push_back(leaf);
  }
  setValue(i, std::move(result));
  return llvm::Error::success();
}

}  // namespace jit::spirv
