// What each subgroup of a wide stream does for itself. An instruction is emitted once, for a
// subgroup's invocations, in a loop over the subgroups: what it takes and gives lies in memory,
// side by side, where a turn of the loop finds its subgroup's part. So the functions that emit such
// instructions know nothing of wide streams, and the code's size does not depend on the width. A
// subgroup without live invocations has no turn.
#include <llvm/ADT/SmallPtrSet.h>

#include "jit/simt/lane_loop.h"
#include "jit/spirv/emission.h"
#include "jit/spirv/group_instruction.h"
#include "jit/spirv/operands.h"

namespace jit::spirv {

namespace {

// Places in memory for vectors of the stream's width, and parts of them.
class StreamMemory {
 public:
  StreamMemory(Emission& e, uint32_t width) : e_(e), width_(width) {}

  // Masks are integers there: a bit for each invocation.
  llvm::AllocaInst* place(llvm::Type* scalar) {
    llvm::Type* type = scalar->isIntegerTy(1)
                           ? static_cast<llvm::Type*>(e_.ir.getIntNTy(width_))
                           : static_cast<llvm::Type*>(llvm::FixedVectorType::get(scalar, width_));
    return e_.laneSlot(type, next_++);
  }
  llvm::AllocaInst* write(llvm::Value* v) {
    llvm::AllocaInst* slot = place(v->getType()->getScalarType());
    e_.writeSlot(slot, e_.ir.CreateBitCast(v, slot->getAllocatedType()));
    return slot;
  }
  llvm::Value* read(llvm::AllocaInst* slot, llvm::Type* scalar) {
    return e_.ir.CreateBitCast(e_.readSlot(slot), llvm::FixedVectorType::get(scalar, width_));
  }
  llvm::Value* readPart(llvm::AllocaInst* slot, llvm::Type* scalar, llvm::Value* subgroup) {
    auto* part = llvm::FixedVectorType::get(scalar, e_.subgroup_size);
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
    return uint64_t{part->getNumElements()} * part->getScalarSizeInBits() / 8;
  }
  static llvm::Align alignmentOf(llvm::FixedVectorType* part) {
    return llvm::Align(std::min<uint64_t>(bytesOf(part), 64));
  }
  llvm::Type* inMemory(llvm::FixedVectorType* part) const {
    if (!part->getElementType()->isIntegerTy(1)) return part;
    return e_.ir.getIntNTy(part->getNumElements());
  }
  llvm::Value* partOf(llvm::AllocaInst* slot, llvm::FixedVectorType* part, llvm::Value* subgroup) {
    return e_.ir.CreateInBoundsGEP(e_.ir.getInt8Ty(), slot,
                                   e_.ir.CreateMul(subgroup, e_.ir.getInt64(bytesOf(part))));
  }

  Emission& e_;
  const uint32_t width_;
  unsigned next_ = 0;
};

}  // namespace

// The instruction's operands as one subgroup sees them, and what it gave.
struct Emission::SubgroupView {
  std::unordered_map<Id, Value> operands;
  std::optional<Value> result;
};

llvm::Expected<Value> Emission::valueInSubgroup(Id id) {
  auto operand = subgroup_view_->operands.find(id);
  if (operand == subgroup_view_->operands.end())
    return malformed(module.describe(id) + " is no operand that each subgroup has");
  return operand->second;
}

void Emission::setValueInSubgroup(Value value) { subgroup_view_->result = std::move(value); }

bool Emission::bySubgroup(const Instruction& i) const {
  return width > subgroup_size && groupInstruction(i).has_value();
}

llvm::Error Emission::emitBySubgroup(const OpcodeRow& row, const Instruction& i) {
  const uint32_t stream_width = width;
  StreamMemory memory(*this, stream_width);
  llvm::Value* stream_mask = simt.mask;
  llvm::Type* boolean = ir.getInt1Ty();
  llvm::AllocaInst* mask = stream_mask == nullptr ? nullptr : memory.write(stream_mask);

  // Operands as the stream has them; those that vary lie in memory too.
  struct Operand {
    Id id;
    Value value;
    llvm::SmallVector<llvm::AllocaInst*, 4> slots;
  };
  llvm::SmallVector<Operand, 4> operands;
  llvm::SmallPtrSet<llvm::Value*, 8> shared;  // by all invocations
  for (Id id : valueOperands(i)) {
    if (module.constant(id) != nullptr) continue;
    llvm::Expected<Value> v = value(id);
    if (!v) return v.takeError();
    Operand operand{id, std::move(*v), {}};
    for (llvm::Value* leaf : operand.value.leaves) {
      operand.slots.push_back(simt.isVarying(leaf) ? memory.write(leaf) : nullptr);
      if (!simt.isVarying(leaf)) shared.insert(leaf);
    }
    operands.push_back(std::move(operand));
  }

  SubgroupView view;
  llvm::BasicBlock* before = ir.GetInsertBlock();
  llvm::SmallVector<llvm::AllocaInst*, 4> results;
  std::optional<llvm::Error> failure;
  auto turn = [&](llvm::Value* subgroup) {
    for (const Operand& operand : operands) {
      Value part{operand.value.type, {}};
      for (size_t k = 0; k < operand.slots.size(); ++k) {
        llvm::Value* leaf = operand.value.leaves[k];
        if (llvm::AllocaInst* slot = operand.slots[k])
          leaf = memory.readPart(slot, simt.scalarOf(leaf), subgroup);
        part.leaves.push_back(leaf);
      }
      view.operands.try_emplace(operand.id, std::move(part));
    }
    if (llvm::Error error = row.emit(*this, i)) {
      failure = std::move(error);
      return;
    }
    if (!view.result) return;
    for (llvm::Value* leaf : view.result->leaves) {
      // What all of the stream share stays a scalar.
      const bool is_shared =
          !simt.isVarying(leaf) && (llvm::isa<llvm::Constant>(leaf) || shared.contains(leaf));
      results.push_back(is_shared ? nullptr : memory.place(simt.scalarOf(leaf)));
      if (!is_shared) memory.writePart(results.back(), simt.broadcast(leaf), subgroup);
    }
  };
  subgroup_view_ = &view;
  simt::forEachIndex(simt, stream_width / subgroup_size, [&](llvm::Value* subgroup) {
    simt.width = subgroup_size;
    if (mask == nullptr) {
      turn(subgroup);
    } else {
      simt.mask = memory.readPart(mask, boolean, subgroup);
      simt::ifHolds(simt, simt.any(simt.mask), [&] { turn(subgroup); });
    }
    simt.width = stream_width;
  });
  simt.mask = stream_mask;
  subgroup_view_ = nullptr;
  if (failure) return std::move(*failure);
  if (!view.result) return llvm::Error::success();

  Value result{i.type, {}};
  for (size_t k = 0; k < results.size(); ++k) {
    llvm::Value* leaf = view.result->leaves[k];
    if (results[k] != nullptr) {
      llvm::Type* type = results[k]->getAllocatedType();
      // Subgroups without live invocations leave what is there.
      if (mask != nullptr)
        llvm::IRBuilder<>(before->getTerminator())
            .CreateAlignedStore(llvm::Constant::getNullValue(type), results[k], llvm::Align(64));
      leaf = memory.read(results[k], simt.scalarOf(leaf));
    }
    result.leaves.push_back(leaf);
  }
  setValue(i, std::move(result));
  return llvm::Error::success();
}

}  // namespace jit::spirv
