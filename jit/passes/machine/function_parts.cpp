// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/function_parts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <vector>

#include "jit/ir/kernel_frame.h"
#include "jit/ir/uses.h"
#include "jit/passes/machine/machine_cost.h"
#include "jit/passes/machine/own_lines.h"
#include "jit/passes/machine/part_choice.h"
#include "runtime/kernel_abi.h"

namespace jit {
namespace {

using llvm::AllocaInst;
using llvm::BasicBlock;
using llvm::Function;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

// What a part returns when the kernel has ended; other numbers are those of blocks.
constexpr uint32_t kEnded = 0;

class Splitter {
 public:
  Splitter(Function& kernel, uint32_t vector_bytes, uint64_t scratch_bytes, PartSizes sizes)
      : kernel_(kernel),
        layout_(kernel.getDataLayout()),
        context_(kernel.getContext()),
        vector_bytes_(vector_bytes),
        frame_offset_((scratch_bytes + kAlignment - 1) / kAlignment * kAlignment),
        sizes_(sizes) {}

  // False if the kernel stays as it is.
  bool run() {
    uint64_t cost = 0;
    for (Instruction& instruction : llvm::instructions(kernel_)) {
      cost += machineCost(instruction, layout_, vector_bytes_);
      auto* variable = llvm::dyn_cast<AllocaInst>(&instruction);
      if (variable && !variable->isStaticAlloca()) return false;
    }
    if (cost <= sizes_.whole && kernel_.size() <= sizes_.whole_blocks) return false;
    prepareEntry();
    assignParts();
    if (parts_.size() < 2) return false;
    numberEntries();
    placeVariables();
    placePhis();
    placeValues();
    for (size_t part = 0; part < parts_.size(); ++part) moveOut(part);
    dispatch();
    return true;
  }

  uint64_t scratchBytes() const { return frame_offset_ + frame_.bytes(); }

 private:
  static constexpr uint64_t kAlignment = rt::kWorkgroupMemoryAlignment;

  struct Part {
    std::vector<BasicBlock*> blocks;
    Function* function = nullptr;
    llvm::SetVector<uint32_t> next;  // entries that it goes on at, or kEnded
  };

  void prepareEntry();
  void assignParts();
  void numberEntries();
  void placeVariables();
  void placePhis();
  void placeValues();
  void moveOut(size_t part);
  void repair(Function& function);
  void dispatch();

  uint32_t partOf(const BasicBlock* block) const { return part_of_.lookup(block); }
  uint64_t slotFor(llvm::Type* type) {
    return frame_.allocate(layout_.getTypeAllocSize(type).getFixedValue(),
                           alignmentOf(type).value());
  }
  llvm::Align alignmentOf(llvm::Type* type) const {
    return std::min(llvm::Align(kAlignment), layout_.getABITypeAlign(type));
  }
  // The addresses of a part are made from its own parameter once the code has moved; until then
  // from a stand-in.
  Value* address(llvm::IRBuilder<>& ir, uint64_t offset) {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), frame_pointer_, offset);
  }
  void store(Value* value, uint64_t slot, llvm::IRBuilder<>& ir) {
    ir.CreateAlignedStore(value, address(ir, slot), alignmentOf(value->getType()));
  }
  Value* load(llvm::Type* type, uint64_t slot, llvm::IRBuilder<>& ir) {
    return ir.CreateAlignedLoad(type, address(ir, slot), alignmentOf(type));
  }
  uint64_t keep(Instruction& value);
  void readKept(Instruction& value, uint64_t slot, llvm::ArrayRef<llvm::Use*> uses);

  Function& kernel_;
  const llvm::DataLayout& layout_;
  llvm::LLVMContext& context_;
  const uint32_t vector_bytes_;
  const uint64_t frame_offset_;
  const PartSizes sizes_;
  KernelFrame frame_;
  Value* frame_pointer_ = nullptr;
  BasicBlock* body_ = nullptr;  // where the kernel's own code begins
  std::vector<Part> parts_;
  llvm::DenseMap<const BasicBlock*, uint32_t> part_of_;
  llvm::MapVector<BasicBlock*, uint32_t> entries_;      // blocks that other parts go on at: number
  llvm::DenseMap<const Instruction*, uint64_t> slots_;  // of values that are kept
};

// The entry block keeps nothing but variables and the frame.
void Splitter::prepareEntry() {
  BasicBlock& entry = kernel_.getEntryBlock();
  llvm::SmallVector<AllocaInst*> variables;
  for (Instruction& instruction : entry)
    if (auto* variable = llvm::dyn_cast<AllocaInst>(&instruction)) variables.push_back(variable);
  for (AllocaInst* variable : llvm::reverse(variables)) variable->moveBefore(entry, entry.begin());
  Instruction& first = variables.empty() ? entry.front() : *variables.back()->getNextNode();
  llvm::IRBuilder<> ir(&first);
  ir.SetCurrentDebugLocation({});
  Value* member = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), kernel_.getArg(1),
                                                offsetof(rt::WorkgroupMemory, scratch));
  Value* scratch = ir.CreateAlignedLoad(ir.getPtrTy(), member, llvm::Align(8));
  frame_pointer_ =
      ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), scratch, frame_offset_, "parts.frame");
  body_ = entry.splitBasicBlock(first.getIterator(), "body");
}

void Splitter::assignParts() {
  for (std::vector<BasicBlock*>& run : chooseParts(kernel_, vector_bytes_, sizes_)) {
    for (BasicBlock* block : run) part_of_[block] = uint32_t(parts_.size());
    parts_.emplace_back().blocks = std::move(run);
  }
}

void Splitter::numberEntries() {
  auto enter = [&](BasicBlock* block) { entries_.insert({block, entries_.size() + 1}); };
  enter(body_);
  for (Part& part : parts_) {
    for (BasicBlock* block : part.blocks) {
      for (BasicBlock* next : llvm::successors(block))
        if (partOf(next) != partOf(block)) enter(next);
    }
  }
}

void Splitter::placeVariables() {
  BasicBlock& entry = kernel_.getEntryBlock();
  llvm::SmallVector<AllocaInst*> variables;
  for (Instruction& instruction : entry)
    if (auto* variable = llvm::dyn_cast<AllocaInst>(&instruction)) variables.push_back(variable);
  for (AllocaInst* variable : variables) {
    const uint64_t bytes = variable->getAllocationSize(layout_)->getFixedValue();
    const uint64_t slot =
        frame_.allocate(bytes, std::min(kAlignment, variable->getAlign().value()));
    llvm::DenseMap<BasicBlock*, llvm::SmallVector<llvm::Use*, 2>> uses;
    for (llvm::Use& use : llvm::make_early_inc_range(variable->uses())) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      if (user->isLifetimeStartOrEnd())
        user->eraseFromParent();
      else
        uses[blockOf(use)].push_back(&use);
    }
    for (auto& [block, in_block] : uses) {
      llvm::IRBuilder<> ir(block, block->getFirstInsertionPt());
      ir.SetCurrentDebugLocation({});
      Value* at = address(ir, slot);
      for (llvm::Use* use : in_block) use->set(at);
    }
    variable->eraseFromParent();
  }
  // The frame is aligned to a cache line and no more; wider vectors were promised more.
  for (Instruction& instruction : llvm::instructions(kernel_)) {
    const llvm::Align most(kAlignment);
    if (auto* read = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      read->setAlignment(std::min(read->getAlign(), most));
    else if (auto* written = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      written->setAlignment(std::min(written->getAlign(), most));
  }
}

// Phis of blocks that other parts lead to become memory, which the blocks before them write.
void Splitter::placePhis() {
  for (auto& [block, number] : entries_) {
    for (PHINode& phi : llvm::make_early_inc_range(block->phis())) {
      const uint64_t slot = slotFor(phi.getType());
      llvm::SmallPtrSet<BasicBlock*, 8> written;  // by a block that comes in along several edges
      for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
        BasicBlock* from = phi.getIncomingBlock(k);
        if (!written.insert(from).second) continue;
        llvm::IRBuilder<> ir(from->getTerminator());
        ir.SetCurrentDebugLocation({});
        store(phi.getIncomingValue(k), slot, ir);
      }
      llvm::IRBuilder<> ir(block, block->getFirstInsertionPt());
      ir.SetCurrentDebugLocation({});
      phi.replaceAllUsesWith(load(phi.getType(), slot, ir));
      phi.eraseFromParent();
    }
  }
}

// Keeps a value in the frame from its definition on.
uint64_t Splitter::keep(Instruction& value) {
  auto [known, fresh] = slots_.try_emplace(&value, 0);
  if (!fresh) return known->second;
  known->second = slotFor(value.getType());
  llvm::IRBuilder<> ir(value.getParent(), *value.getInsertionPointAfterDef());
  ir.SetCurrentDebugLocation({});
  store(&value, known->second, ir);
  return known->second;
}

// Uses in other blocks than the definition's: each block reads the value once.
void Splitter::readKept(Instruction& value, uint64_t slot, llvm::ArrayRef<llvm::Use*> uses) {
  llvm::DenseMap<BasicBlock*, Value*> read;
  for (llvm::Use* use : uses) {
    BasicBlock* block = blockOf(*use);
    Value*& here = read[block];
    if (!here) {
      llvm::IRBuilder<> ir(block, block->getFirstInsertionPt());
      ir.SetCurrentDebugLocation({});
      here = load(value.getType(), slot, ir);
    }
    use->set(here);
  }
}

void Splitter::placeValues() {
  std::vector<Instruction*> values;
  for (Part& part : parts_)
    for (BasicBlock* block : part.blocks)
      for (Instruction& instruction : *block) values.push_back(&instruction);
  for (Instruction* value : values) {
    llvm::SmallVector<llvm::Use*, 8> elsewhere;
    for (llvm::Use& use : value->uses())
      if (partOf(blockOf(use)) != partOf(value->getParent())) elsewhere.push_back(&use);
    if (!elsewhere.empty()) readKept(*value, keep(*value), elsewhere);
  }
}

// uint32_t part(the kernel's arguments, frame, number of the entry)
void Splitter::moveOut(size_t index) {
  Part& part = parts_[index];
  llvm::IRBuilder<> ir(context_);
  llvm::SmallVector<llvm::Type*> parameters(kernel_.getFunctionType()->params());
  parameters.append({ir.getPtrTy(), ir.getInt32Ty()});
  auto* type = llvm::FunctionType::get(ir.getInt32Ty(), parameters, false);
  part.function = Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                   kernel_.getName() + ".part", kernel_.getParent());
  const llvm::AttributeList attributes = kernel_.getAttributes();
  part.function->addFnAttrs(llvm::AttrBuilder(context_, attributes.getFnAttrs()));
  part.function->addFnAttr(llvm::Attribute::NoInline);
  for (const llvm::Argument& argument : kernel_.args())
    part.function->addParamAttrs(
        argument.getArgNo(),
        llvm::AttrBuilder(context_, attributes.getParamAttrs(argument.getArgNo())));

  auto* start = BasicBlock::Create(context_, "start", part.function);
  for (BasicBlock* block : part.blocks)
    part.function->splice(part.function->end(), &kernel_, block->getIterator());
  llvm::Argument* frame = part.function->getArg(unsigned(kernel_.arg_size()));
  llvm::Argument* entry = part.function->getArg(unsigned(kernel_.arg_size()) + 1);
  llvm::DenseMap<Value*, Value*> inside{{frame_pointer_, frame}};
  for (auto [from, to] : llvm::zip_first(kernel_.args(), part.function->args()))
    inside[&from] = &to;
  for (BasicBlock* block : part.blocks)
    for (Instruction& instruction : *block)
      for (llvm::Use& operand : instruction.operands())
        if (auto known = inside.find(operand.get()); known != inside.end())
          operand.set(known->second);

  llvm::DenseMap<uint32_t, BasicBlock*> exits;
  auto exitTo = [&](uint32_t number) {
    BasicBlock*& exit = exits[number];
    if (!exit) {
      exit = BasicBlock::Create(context_, "exit", part.function);
      llvm::ReturnInst::Create(context_, ir.getInt32(number), exit);
      part.next.insert(number);
    }
    return exit;
  };
  for (BasicBlock* block : part.blocks) {
    Instruction* end = block->getTerminator();
    if (llvm::isa<llvm::ReturnInst>(end)) {
      llvm::IRBuilder<>(end).CreateBr(exitTo(kEnded));
      end->eraseFromParent();
      continue;
    }
    for (unsigned k = 0; k < end->getNumSuccessors(); ++k) {
      BasicBlock* next = end->getSuccessor(k);
      if (part_of_.contains(next) && partOf(next) != index)
        end->setSuccessor(k, exitTo(entries_.lookup(next)));
    }
  }
  llvm::SmallVector<std::pair<uint32_t, BasicBlock*>> paths;
  for (auto& [block, number] : entries_)
    if (partOf(block) == index) paths.push_back({number, block});
  ir.SetInsertPoint(start);
  if (paths.empty()) {
    ir.CreateUnreachable();
  } else {
    auto* choice = ir.CreateSwitch(entry, paths[0].second, unsigned(paths.size()));
    for (auto& [number, block] : llvm::drop_begin(paths))
      choice->addCase(ir.getInt32(number), block);
  }
  repair(*part.function);
  describeLines(*part.function, kernel_);
}

// Where another part comes back to, values of this one are what they were when it left.
void Splitter::repair(Function& function) {
  Value* const outer = std::exchange(frame_pointer_, function.getArg(unsigned(kernel_.arg_size())));
  llvm::DominatorTree dominators(function);
  dominators.updateDFSNumbers();
  std::vector<Instruction*> values;
  for (Instruction& instruction : llvm::instructions(function)) values.push_back(&instruction);
  for (Instruction* value : values) {
    llvm::SmallVector<llvm::Use*, 8> broken;
    for (llvm::Use& use : value->uses()) {
      BasicBlock* block = blockOf(use);
      if (block != value->getParent() && !dominators.dominates(value->getParent(), block))
        broken.push_back(&use);
    }
    if (!broken.empty()) readKept(*value, keep(*value), broken);
  }
  frame_pointer_ = outer;
}

void Splitter::dispatch() {
  llvm::SmallVector<BasicBlock*> calls;
  llvm::SmallVector<PHINode*> starts;
  llvm::IRBuilder<> ir(context_);
  for (size_t k = 0; k < parts_.size(); ++k) {
    ir.SetInsertPoint(calls.emplace_back(BasicBlock::Create(context_, "part", &kernel_)));
    starts.push_back(ir.CreatePHI(ir.getInt32Ty(), 2));
  }
  auto* exit = BasicBlock::Create(context_, "ended", &kernel_);
  llvm::ReturnInst::Create(context_, exit);
  BasicBlock& entry = kernel_.getEntryBlock();
  entry.getTerminator()->setSuccessor(0, calls[partOf(body_)]);
  starts[partOf(body_)]->addIncoming(ir.getInt32(entries_.lookup(body_)), &entry);

  llvm::SmallVector<uint32_t> part_of_entry(entries_.size() + 1);
  for (auto& [block, number] : entries_) part_of_entry[number] = partOf(block);
  for (size_t k = 0; k < parts_.size(); ++k) {
    ir.SetInsertPoint(calls[k]);
    llvm::SmallVector<Value*> arguments(llvm::make_pointer_range(kernel_.args()));
    arguments.append({frame_pointer_, starts[k]});
    auto* next = ir.CreateCall(parts_[k].function, arguments);
    next->setDoesNotThrow();
    const llvm::SetVector<uint32_t>& numbers = parts_[k].next;
    if (numbers.empty()) {  // it never ends
      ir.CreateUnreachable();
      continue;
    }
    auto blockFor = [&](uint32_t number) {
      if (number == kEnded) return exit;
      starts[part_of_entry[number]]->addIncoming(next, calls[k]);
      return calls[part_of_entry[number]];
    };
    auto* choice = ir.CreateSwitch(next, blockFor(numbers[0]), unsigned(numbers.size()));
    for (uint32_t number : llvm::drop_begin(numbers))
      choice->addCase(ir.getInt32(number), blockFor(number));
  }
  forgetLines(kernel_);
}

}  // namespace

uint64_t splitIntoParts(Function& kernel, uint32_t vector_bytes, uint64_t scratch_bytes,
                        PartSizes sizes) {
  Splitter splitter(kernel, vector_bytes, scratch_bytes, sizes);
  return splitter.run() ? splitter.scratchBytes() : scratch_bytes;
}

}  // namespace jit
