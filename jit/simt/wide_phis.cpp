#include "jit/simt/wide_phis.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace jit::simt {
namespace {

using llvm::BasicBlock;
using llvm::PHINode;
using llvm::Value;

const llvm::Align kAlignment(64);

class WidePhis {
 public:
  WidePhis(llvm::Function& function, unsigned lanes, const Places& places)
      : function_(function), lanes_(lanes), places_(places) {}

  void run() {
    find();
    if (phis_.empty()) return;
    splitEdges();
    for (PHINode* phi : phis_) slots_[phi] = slotOf(*phi);
    for (PHINode* phi : phis_) queueCopies(*phi);
    for (auto& [from, copies] : edges_) emitCopies(from, copies);
    for (PHINode* phi : phis_) {
      if (llvm::StoreInst* store = storeToPlace(*phi)) store->eraseFromParent();
    }
    for (PHINode* phi : phis_) phi->replaceAllUsesWith(llvm::PoisonValue::get(phi->getType()));
    for (PHINode* phi : phis_) phi->eraseFromParent();
  }

 private:
  struct Copy {
    PHINode* phi;
    Value* value;
  };

  // The phis for which nothing has to be loaded to registers, or stored from there.
  void find() {
    for (BasicBlock& block : function_) {
      for (PHINode& phi : block.phis()) {
        auto* type = llvm::dyn_cast<llvm::FixedVectorType>(phi.getType());
        if (type && type->getNumElements() == lanes_ && type->getScalarSizeInBits() % 8 == 0)
          phis_.insert(&phi);
      }
    }
    auto other = [&](PHINode* phi) {
      return !llvm::all_of(phi->incoming_values(), [&](Value* v) { return isInMemory(v); }) ||
             !llvm::all_of(phi->users(), [&](llvm::User* user) {
               return user == storeToPlace(*phi) || phis_.contains(llvm::dyn_cast<PHINode>(user));
             });
    };
    while (phis_.remove_if(other)) continue;
  }

  bool isInMemory(Value* value) const {
    if (auto* phi = llvm::dyn_cast<PHINode>(value)) return phis_.contains(phi);
    auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    if (constant) return constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant);
    return places_.contains(value);
  }

  llvm::StoreInst* storeToPlace(PHINode& phi) const {
    Value* place = places_.lookup(&phi);
    for (llvm::User* user : phi.users()) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (store && place && store->getPointerOperand() == place) return store;
    }
    return nullptr;
  }

  // So that a phi's memory can be written where the edge starts.
  void splitEdges() {
    llvm::SmallVector<std::pair<BasicBlock*, BasicBlock*>> edges;
    llvm::SmallPtrSet<BasicBlock*, 8> seen;
    for (PHINode* phi : phis_) {
      if (!seen.insert(phi->getParent()).second) continue;
      for (BasicBlock* from : llvm::predecessors(phi->getParent()))
        edges.emplace_back(from, phi->getParent());
    }
    for (auto [from, to] : edges) llvm::SplitCriticalEdge(from, to);
  }

  Value* slotOf(PHINode& phi) {
    if (Value* place = places_.lookup(&phi)) return place;
    return makeSlot(phi.getType());
  }

  llvm::AllocaInst* makeSlot(llvm::Type* type) {
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* slot = builder.CreateAlloca(type);
    slot->setAlignment(kAlignment);
    return slot;
  }

  void queueCopies(PHINode& phi) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      Value* value = phi.getIncomingValue(i);
      if (value != &phi && !llvm::isa<llvm::UndefValue>(value))
        edges_[phi.getIncomingBlock(i)].push_back({&phi, value});
    }
  }

  // All phis of a block get their values at once: one whose value is another's goes first, through
  // a place of its own.
  void emitCopies(BasicBlock* from, llvm::ArrayRef<Copy> copies) {
    llvm::IRBuilder<> builder(from->getTerminator());
    llvm::SmallVector<std::pair<PHINode*, Value*>> parked;
    for (const Copy& it : copies) {
      auto* other = llvm::dyn_cast<PHINode>(it.value);
      if (!other || other->getParent() != it.phi->getParent()) continue;
      parked.emplace_back(it.phi, makeSlot(it.phi->getType()));
      copy(builder, parked.back().second, slots_.lookup(other), it.phi->getType());
    }
    for (const Copy& it : copies) {
      auto* other = llvm::dyn_cast<PHINode>(it.value);
      if (other && other->getParent() == it.phi->getParent()) continue;
      Value* slot = slots_.lookup(it.phi);
      if (llvm::isa<llvm::Constant>(it.value)) {
        builder.CreateMemSet(slot, builder.getInt8(0), bytesOf(it.phi->getType()), kAlignment);
      } else {
        copy(builder, slot, other ? slots_.lookup(other) : places_.lookup(it.value),
             it.phi->getType());
      }
    }
    for (auto [phi, place] : parked) copy(builder, slots_.lookup(phi), place, phi->getType());
  }

  uint64_t bytesOf(llvm::Type* type) const {
    return function_.getDataLayout().getTypeStoreSize(type).getFixedValue();
  }

  void copy(llvm::IRBuilder<>& builder, Value* to, Value* from, llvm::Type* type) const {
    builder.CreateMemCpy(to, kAlignment, from, kAlignment, bytesOf(type));
  }

  llvm::Function& function_;
  const unsigned lanes_;
  const Places& places_;
  llvm::SetVector<PHINode*> phis_;
  llvm::DenseMap<PHINode*, Value*> slots_;
  llvm::MapVector<BasicBlock*, llvm::SmallVector<Copy>> edges_;
};

}  // namespace

void keepWidePhisInMemory(llvm::Function& function, unsigned lanes, const Places& places) {
  WidePhis(function, lanes, places).run();
}

}  // namespace jit::simt
