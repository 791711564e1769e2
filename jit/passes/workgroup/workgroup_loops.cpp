// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/workgroup_loops.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <tuple>

#include "runtime/kernel_abi.h"

namespace jit::simt {
namespace {

using llvm::AllocaInst;
using llvm::BasicBlock;
using llvm::Function;
using llvm::Value;

constexpr int32_t kEnded = -1;  // all bits, so the conjunction of states tells whether all ended

class LoopBuilder {
 public:
  LoopBuilder(Function& subgroup, unsigned subgroups, bool in_rows,
              llvm::MutableArrayRef<Barrier> barriers)
      : subgroup_(subgroup),
        subgroups_(subgroups),
        in_rows_(in_rows),
        barriers_(barriers),
        context_(subgroup.getContext()),
        data_layout_(subgroup.getDataLayout()),
        builder_(context_) {}

  WorkgroupLoops build(std::string_view name) {
    createKernel(name);
    createLoops();
    // In the order of the signature in jit/emit/emitter.h.
    Function& kernel = *loops_.kernel;
    Value* arguments[] = {kernel.getArg(0), shared_,          loops_.frame,   workgroup_x_,
                          kernel.getArg(3), kernel.getArg(4), subgroup_index_};
    for (auto [parameter, argument] : llvm::zip_equal(subgroup_.args(), arguments)) {
      parameter.replaceAllUsesWith(argument);
    }
    return loops_;
  }

 private:
  void createKernel(std::string_view name);
  void createLoops();
  void leaveThrough(BasicBlock& exit);
  void loopOverRow(BasicBlock& start, BasicBlock& left, BasicBlock& next);

  Function& subgroup_;
  const unsigned subgroups_;
  const bool in_rows_;
  llvm::MutableArrayRef<Barrier> barriers_;
  llvm::LLVMContext& context_;
  const llvm::DataLayout& data_layout_;
  llvm::IRBuilder<> builder_;

  WorkgroupLoops loops_;
  BasicBlock* body_ = nullptr;  // where the subgroup's code starts
  Value* shared_ = nullptr;
  Value* scratch_ = nullptr;
  Value* subgroup_index_ = nullptr;
  Value* workgroup_x_ = nullptr;
};

void LoopBuilder::createKernel(std::string_view name) {
  llvm::Type* pointer = llvm::PointerType::get(context_, 0);
  llvm::Type* word = builder_.getInt32Ty();
  auto* type = llvm::FunctionType::get(
      builder_.getVoidTy(), {pointer, pointer, word, word, word, word}, /*isVarArg=*/false);
  loops_.kernel = Function::Create(type, Function::ExternalLinkage, llvm::StringRef(name),
                                   subgroup_.getParent());
  workgroup_x_ = loops_.kernel->getArg(2);
  loops_.kernel->setAttributes(llvm::AttributeList::get(
      context_, llvm::AttributeList::FunctionIndex,
      llvm::AttrBuilder(context_, subgroup_.getAttributes().getFnAttrs())));
  loops_.kernel->setDoesNotThrow();
  for (auto [argument, size, alignment] :
       {std::tuple{0u, sizeof(rt::DispatchArgs), alignof(rt::DispatchArgs)},
        std::tuple{1u, sizeof(rt::WorkgroupMemory), alignof(rt::WorkgroupMemory)}}) {
    loops_.kernel->addParamAttr(argument, llvm::Attribute::NoAlias);
    loops_.kernel->addParamAttr(argument, llvm::Attribute::ReadOnly);
    loops_.kernel->addParamAttr(argument, llvm::Attribute::NonNull);
    loops_.kernel->addParamAttr(argument,
                                llvm::Attribute::getWithDereferenceableBytes(context_, size));
    loops_.kernel->addParamAttr(
        argument, llvm::Attribute::getWithAlignment(context_, llvm::Align(alignment)));
  }
  loops_.kernel->setSubprogram(subgroup_.getSubprogram());
  subgroup_.setSubprogram(nullptr);

  body_ = &subgroup_.getEntryBlock();
  loops_.entry = BasicBlock::Create(context_, "entry", loops_.kernel);
  loops_.kernel->splice(loops_.kernel->end(), &subgroup_);

  builder_.SetInsertPoint(loops_.entry);
  auto loadMember = [&](size_t offset, const char* member) {
    auto* load = builder_.CreateAlignedLoad(
        pointer,
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), loops_.kernel->getArg(1), offset),
        llvm::Align(8), member);
    llvm::MDNode* empty = llvm::MDNode::get(context_, {});
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, empty);
    load->setMetadata(llvm::LLVMContext::MD_align,
                      llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(builder_.getInt64(
                                                      rt::kWorkgroupMemoryAlignment))));
    return load;
  };
  shared_ = loadMember(offsetof(rt::WorkgroupMemory, shared), "shared");
  scratch_ = loadMember(offsetof(rt::WorkgroupMemory, scratch), "scratch");
}

void LoopBuilder::leaveThrough(BasicBlock& exit) {
  for (BasicBlock& block : *loops_.kernel) {
    auto* end = llvm::dyn_cast_or_null<llvm::ReturnInst>(block.getTerminator());
    if (!end) continue;
    builder_.SetInsertPoint(end);
    builder_.CreateBr(&exit);
    end->eraseFromParent();
  }
}

// Each workgroup of the row in turn: from `start` on, and through `left` to `next` in the end.
void LoopBuilder::loopOverRow(BasicBlock& start, BasicBlock& left, BasicBlock& next) {
  llvm::Argument* first = loops_.kernel->getArg(2);
  builder_.SetInsertPoint(loops_.entry->getTerminator());
  Value* end = builder_.CreateAdd(first, loops_.kernel->getArg(5), "row.end", true, true);
  builder_.SetInsertPoint(&start);
  auto* x = builder_.CreatePHI(builder_.getInt32Ty(), 2, "workgroup.x");
  workgroup_x_ = x;
  builder_.CreateBr(body_);
  builder_.SetInsertPoint(&left);
  Value* following = builder_.CreateAdd(x, builder_.getInt32(1), "", true, true);
  builder_.CreateCondBr(builder_.CreateICmpULT(following, end), &start, &next);
  x->addIncoming(first, loops_.subgroup_start);
  x->addIncoming(following, &left);
}

void LoopBuilder::createLoops() {
  builder_.SetInsertPoint(loops_.entry);
  if (subgroups_ == 1) {
    loops_.subgroup_start = loops_.entry;
    subgroup_index_ = builder_.getInt32(0);
    loops_.frame = scratch_;
    builder_.CreateBr(body_);
    return;
  }
  auto block = [&](const char* name) { return BasicBlock::Create(context_, name, loops_.kernel); };
  BasicBlock* left = block("subgroup.left");
  leaveThrough(*left);
  const bool rounds = !barriers_.empty();
  llvm::Type* word = builder_.getInt32Ty();

  BasicBlock* before = loops_.entry;
  AllocaInst* states = nullptr;
  if (rounds) {
    builder_.SetInsertPoint(loops_.entry);
    llvm::Type* type = llvm::ArrayType::get(word, subgroups_);
    states = builder_.CreateAlloca(type, nullptr, "states");
    builder_.CreateMemSet(states, builder_.getInt8(0), data_layout_.getTypeAllocSize(type),
                          states->getAlign());
    before = block("round");
    builder_.CreateBr(before);
  }
  builder_.SetInsertPoint(before);
  loops_.subgroup_start = block("subgroup.start");
  builder_.CreateBr(loops_.subgroup_start);

  builder_.SetInsertPoint(loops_.subgroup_start);
  auto* index = builder_.CreatePHI(word, 2, "subgroup");
  subgroup_index_ = index;
  index->addIncoming(builder_.getInt32(0), before);
  BasicBlock* next = left;
  llvm::PHINode* all_ended = nullptr;
  Value* all_ended_next = nullptr;
  if (rounds) {
    all_ended = builder_.CreatePHI(word, 2, "all_ended");
    all_ended->addIncoming(builder_.getInt32(kEnded), before);
    Value* state_pointer = builder_.CreateInBoundsGEP(word, states, index);
    Value* state = builder_.CreateLoad(word, state_pointer, "state");
    loops_.frame_offset = builder_.Insert(llvm::BinaryOperator::CreateNUWMul(
        builder_.CreateZExt(index, builder_.getInt64Ty()), builder_.getInt64(0)));
    loops_.frame =
        builder_.CreateInBoundsGEP(builder_.getInt8Ty(), scratch_, loops_.frame_offset, "frame");
    next = block("subgroup.next");
    auto* to_region = builder_.CreateSwitch(state, next, 1 + barriers_.size());
    to_region->addCase(builder_.getInt32(0), body_);

    // The subgroup leaves with the number of the barrier, or with kEnded.
    llvm::SmallVector<BasicBlock*> returns(llvm::predecessors(left));
    builder_.SetInsertPoint(left);
    auto* new_state = builder_.CreatePHI(word, returns.size() + barriers_.size(), "new_state");
    for (BasicBlock* end : returns) new_state->addIncoming(builder_.getInt32(kEnded), end);
    for (auto [index, barrier] : llvm::enumerate(barriers_)) {
      llvm::ConstantInt* number = builder_.getInt32(index + 1);
      barrier.restore = BasicBlock::Create(context_, "restore", loops_.kernel, barrier.resume);
      llvm::IRBuilder<>(barrier.restore).CreateBr(barrier.resume);
      to_region->addCase(number, barrier.restore);
      new_state->addIncoming(number, barrier.arrival);
      barrier.arrival->getTerminator()->setSuccessor(0, left);
    }
    builder_.CreateStore(new_state, state_pointer);
    Value* all_ended_too = builder_.CreateAnd(all_ended, new_state);
    builder_.CreateBr(next);
    builder_.SetInsertPoint(next);
    auto* merged = builder_.CreatePHI(word, 2);
    merged->addIncoming(all_ended, loops_.subgroup_start);
    merged->addIncoming(all_ended_too, left);
    all_ended_next = merged;
  } else {
    loops_.frame = scratch_;
    if (in_rows_) {
      BasicBlock* start = block("workgroup.start");
      next = block("subgroup.next");
      builder_.CreateBr(start);
      loopOverRow(*start, *left, *next);
    } else {
      builder_.CreateBr(body_);
    }
    builder_.SetInsertPoint(next);
  }
  Value* index_next = builder_.CreateAdd(index, builder_.getInt32(1), "", true, true);
  index->addIncoming(index_next, next);
  BasicBlock* exit = block("exit");
  BasicBlock* round_end = rounds ? block("round.end") : exit;
  builder_.CreateCondBr(builder_.CreateICmpULT(index_next, builder_.getInt32(subgroups_)),
                        loops_.subgroup_start, round_end);
  if (rounds) {
    all_ended->addIncoming(all_ended_next, next);
    builder_.SetInsertPoint(round_end);
    builder_.CreateCondBr(builder_.CreateICmpEQ(all_ended_next, builder_.getInt32(kEnded)), exit,
                          before);
  }
  builder_.SetInsertPoint(exit);
  builder_.CreateRetVoid();
}

}  // namespace

WorkgroupLoops wrapInLoops(Function& subgroup, unsigned subgroups, bool in_rows,
                           llvm::MutableArrayRef<Barrier> barriers, std::string_view name) {
  return LoopBuilder(subgroup, subgroups, in_rows, barriers).build(name);
}

}  // namespace jit::simt
