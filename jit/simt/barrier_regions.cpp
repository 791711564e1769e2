#include "jit/simt/barrier_regions.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <optional>

#include "jit/error.h"
#include "jit/simt/live_values.h"
#include "jit/spirv/emitter.h"
#include "runtime/kernel_abi.h"

namespace jit::simt {
namespace {

using llvm::AllocaInst;
using llvm::BasicBlock;
using llvm::Function;
using llvm::Instruction;
using llvm::Value;

// What of a kernel's variables may be on the worker's stack; the rest moves to the frame.
constexpr uint64_t kStackBytes = 16 * 1024;

// The most that the frame is aligned to.
llvm::Align maxAlignment() { return llvm::Align(rt::kWorkgroupMemoryAlignment); }

constexpr int32_t kEnded = -1;  // all bits, so the conjunction of states tells whether all ended

// Makes `use` read `variable`: before the user, or at the end of the incoming block of a phi.
void readFromVariable(llvm::Use& use, AllocaInst& variable) {
  auto* user = llvm::cast<Instruction>(use.getUser());
  auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
  llvm::IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
  use.set(builder.CreateLoad(variable.getAllocatedType(), &variable));
}

// Stores `value` into `variable` right after its definition.
void writeToVariable(Instruction& value, AllocaInst& variable) {
  llvm::IRBuilder<> builder(value.getParent(), *value.getInsertionPointAfterDef());
  builder.CreateStore(&value, &variable);
}

// A place in the frame, and the resume points at which it holds somebody's value.
struct Slot {
  uint64_t bytes;
  llvm::Align alignment;
  uint64_t offset;
  llvm::BitVector occupied;
};

struct LiveValue {
  Instruction* value;
  llvm::SmallVector<unsigned, 4> resumes;  // indices of resume points
  llvm::SmallVector<Instruction*> recipe;  // without one it has a slot
  Value* slot;
};

class KernelBuilder {
 public:
  KernelBuilder(Function& subgroup, unsigned subgroups, KernelFrame frame)
      : subgroup_(subgroup),
        subgroups_(subgroups),
        frame_layout_(frame),
        context_(subgroup.getContext()),
        data_layout_(subgroup.getDataLayout()),
        builder_(context_) {}

  llvm::Expected<WorkgroupKernel> build(std::string_view name);

 private:
  void splitAtBarriers();
  void createKernel(std::string_view name);
  void createLoops();
  void leaveThrough(BasicBlock& exit);
  llvm::Error placeAllocas();
  llvm::Error keepValues();
  Value* resumeValue(LiveValue& live, unsigned resume);
  uint64_t slotFor(llvm::Type& type, llvm::ArrayRef<unsigned> live_at);
  Value* framePointer(uint64_t offset);
  llvm::Align frameAlignment(llvm::Type& type) const {
    return std::min(maxAlignment(), data_layout_.getABITypeAlign(&type));
  }
  void dropUnchangedSaves();

  Function& subgroup_;
  const unsigned subgroups_;
  KernelFrame frame_layout_;
  llvm::LLVMContext& context_;
  const llvm::DataLayout& data_layout_;
  llvm::IRBuilder<> builder_;

  Function* kernel_ = nullptr;
  BasicBlock* entry_ = nullptr;
  BasicBlock* body_ = nullptr;            // where the subgroup's code starts
  BasicBlock* subgroup_start_ = nullptr;  // in it: subgroup_index_, frame_
  Value* shared_ = nullptr;
  Value* scratch_ = nullptr;
  Value* subgroup_index_ = nullptr;
  Value* frame_ = nullptr;                   // of the subgroup that runs
  Instruction* frame_stride_ = nullptr;      // its multiplication by the frame's size
  llvm::SmallVector<BasicBlock*> arrivals_;  // blocks that end with a barrier
  llvm::SmallVector<BasicBlock*> resumes_;   // where the code goes on after it
  llvm::SmallVector<BasicBlock*> restores_;  // before that: brings back what lives across
  std::vector<LiveValue> live_;
  llvm::SmallPtrSet<AllocaInst*, 16> crossing_allocas_;
  std::vector<Slot> slots_;
  std::vector<llvm::DenseMap<Instruction*, Instruction*>> remade_;  // by resume point
  std::vector<llvm::StoreInst*> saves_;
  std::vector<llvm::WeakTrackingVH> restored_;  // reloads and remade values
};

void KernelBuilder::splitAtBarriers() {
  Function* barrier = subgroup_.getParent()->getFunction(spirv::kBarrierFunction);
  if (!barrier) return;
  for (llvm::User* user : llvm::make_early_inc_range(barrier->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    if (subgroups_ > 1) {
      BasicBlock* arrival = call->getParent();
      resumes_.push_back(arrival->splitBasicBlock(std::next(call->getIterator()), "resume"));
      arrivals_.push_back(arrival);
    }
    call->eraseFromParent();
  }
  // Splitting a block again moves the end of the earlier part: the arrival is what comes before.
  for (auto [arrival, resume] : llvm::zip(arrivals_, resumes_)) {
    arrival = resume->getSinglePredecessor();
  }
  barrier->eraseFromParent();
}

void KernelBuilder::createKernel(std::string_view name) {
  llvm::Type* pointer = llvm::PointerType::get(context_, 0);
  llvm::Type* word = builder_.getInt32Ty();
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer, word, word, word},
                                       /*isVarArg=*/false);
  kernel_ = Function::Create(type, Function::ExternalLinkage, llvm::StringRef(name),
                             subgroup_.getParent());
  kernel_->setAttributes(llvm::AttributeList::get(
      context_, llvm::AttributeList::FunctionIndex,
      llvm::AttrBuilder(context_, subgroup_.getAttributes().getFnAttrs())));
  kernel_->setDoesNotThrow();
  for (auto [argument, size] :
       {std::pair{0u, sizeof(rt::DispatchArgs)}, std::pair{1u, sizeof(rt::WorkgroupMemory)}}) {
    kernel_->addParamAttr(argument, llvm::Attribute::NoAlias);
    kernel_->addParamAttr(argument, llvm::Attribute::ReadOnly);
    kernel_->addParamAttr(argument, llvm::Attribute::NonNull);
    kernel_->addParamAttr(argument, llvm::Attribute::getWithDereferenceableBytes(context_, size));
  }
  kernel_->setSubprogram(subgroup_.getSubprogram());
  subgroup_.setSubprogram(nullptr);

  body_ = &subgroup_.getEntryBlock();
  entry_ = BasicBlock::Create(context_, "entry", kernel_);
  kernel_->splice(kernel_->end(), &subgroup_);

  builder_.SetInsertPoint(entry_);
  auto loadMember = [&](size_t offset, const char* member) {
    auto* load = builder_.CreateAlignedLoad(
        pointer,
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), kernel_->getArg(1), offset),
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

void KernelBuilder::leaveThrough(BasicBlock& exit) {
  for (BasicBlock& block : *kernel_) {
    auto* end = llvm::dyn_cast_or_null<llvm::ReturnInst>(block.getTerminator());
    if (!end) continue;
    builder_.SetInsertPoint(end);
    builder_.CreateBr(&exit);
    end->eraseFromParent();
  }
}

void KernelBuilder::createLoops() {
  builder_.SetInsertPoint(entry_);
  if (subgroups_ == 1) {
    subgroup_start_ = entry_;
    subgroup_index_ = builder_.getInt32(0);
    frame_ = scratch_;
    builder_.CreateBr(body_);
    return;
  }
  auto block = [&](const char* name) { return BasicBlock::Create(context_, name, kernel_); };
  BasicBlock* left = block("subgroup.left");
  leaveThrough(*left);
  const bool rounds = !resumes_.empty();
  llvm::Type* word = builder_.getInt32Ty();

  BasicBlock* before = entry_;
  AllocaInst* states = nullptr;
  if (rounds) {
    builder_.SetInsertPoint(entry_);
    llvm::Type* type = llvm::ArrayType::get(word, subgroups_);
    states = builder_.CreateAlloca(type, nullptr, "states");
    builder_.CreateMemSet(states, builder_.getInt8(0), data_layout_.getTypeAllocSize(type),
                          states->getAlign());
    before = block("round");
    builder_.CreateBr(before);
  }
  builder_.SetInsertPoint(before);
  subgroup_start_ = block("subgroup.start");
  builder_.CreateBr(subgroup_start_);

  builder_.SetInsertPoint(subgroup_start_);
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
    frame_stride_ = llvm::cast<Instruction>(builder_.Insert(llvm::BinaryOperator::CreateNUWMul(
        builder_.CreateZExt(index, builder_.getInt64Ty()), builder_.getInt64(0))));
    frame_ = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), scratch_, frame_stride_, "frame");
    next = block("subgroup.next");
    auto* to_region = builder_.CreateSwitch(state, next, 1 + resumes_.size());
    to_region->addCase(builder_.getInt32(0), body_);

    // The subgroup leaves with the number of the barrier, or with kEnded.
    llvm::SmallVector<BasicBlock*> returns(llvm::predecessors(left));
    builder_.SetInsertPoint(left);
    auto* new_state = builder_.CreatePHI(word, returns.size() + resumes_.size(), "new_state");
    for (BasicBlock* end : returns) new_state->addIncoming(builder_.getInt32(kEnded), end);
    for (unsigned i = 0; i < resumes_.size(); ++i) {
      llvm::ConstantInt* number = builder_.getInt32(i + 1);
      restores_.push_back(BasicBlock::Create(context_, "restore", kernel_, resumes_[i]));
      llvm::BranchInst::Create(resumes_[i], restores_[i]);
      to_region->addCase(number, restores_[i]);
      new_state->addIncoming(number, arrivals_[i]);
      arrivals_[i]->getTerminator()->setSuccessor(0, left);
    }
    builder_.CreateStore(new_state, state_pointer);
    Value* all_ended_too = builder_.CreateAnd(all_ended, new_state);
    builder_.CreateBr(next);
    builder_.SetInsertPoint(next);
    auto* merged = builder_.CreatePHI(word, 2);
    merged->addIncoming(all_ended, subgroup_start_);
    merged->addIncoming(all_ended_too, left);
    all_ended_next = merged;
  } else {
    frame_ = scratch_;
    builder_.CreateBr(body_);
    builder_.SetInsertPoint(left);
  }
  Value* index_next = builder_.CreateAdd(index, builder_.getInt32(1), "", true, true);
  index->addIncoming(index_next, next);
  BasicBlock* exit = block("exit");
  BasicBlock* round_end = rounds ? block("round.end") : exit;
  builder_.CreateCondBr(builder_.CreateICmpULT(index_next, builder_.getInt32(subgroups_)),
                        subgroup_start_, round_end);
  if (rounds) {
    all_ended->addIncoming(all_ended_next, next);
    builder_.SetInsertPoint(round_end);
    builder_.CreateCondBr(builder_.CreateICmpEQ(all_ended_next, builder_.getInt32(kEnded)), exit,
                          before);
  }
  builder_.SetInsertPoint(exit);
  builder_.CreateRetVoid();
}

Value* KernelBuilder::framePointer(uint64_t offset) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), frame_, offset);
}

// Variables move out of the loops: to the stack, or to the frame when they are large or live
// across a barrier.
llvm::Error KernelBuilder::placeAllocas() {
  llvm::SmallVector<AllocaInst*> allocas;
  for (BasicBlock& block : *kernel_) {
    if (&block == entry_) continue;
    for (Instruction& instruction : block) {
      if (auto* alloca = llvm::dyn_cast<AllocaInst>(&instruction)) allocas.push_back(alloca);
    }
  }
  uint64_t stack_bytes = 0;
  bool moved = false;
  for (AllocaInst* alloca : allocas) {
    std::optional<llvm::TypeSize> size = alloca->getAllocationSize(data_layout_);
    if (!size || size->isScalable()) {
      return internal("a variable whose size is not constant in the kernel's code");
    }
    uint64_t bytes = size->getFixedValue();
    if (!crossing_allocas_.contains(alloca) && stack_bytes + bytes <= kStackBytes) {
      stack_bytes += bytes;
      alloca->moveBefore(*entry_, entry_->begin());
      continue;
    }
    llvm::Align alignment = std::min(maxAlignment(), alloca->getAlign());
    builder_.SetInsertPoint(subgroup_start_->getTerminator());
    Value* place = framePointer(frame_layout_.allocate(bytes, alignment.value()));
    for (llvm::User* user : llvm::make_early_inc_range(alloca->users())) {
      auto* marker = llvm::cast<Instruction>(user);
      if (marker->isLifetimeStartOrEnd()) marker->eraseFromParent();
    }
    alloca->replaceAllUsesWith(place);
    alloca->eraseFromParent();
    moved = true;
  }
  if (!moved) return llvm::Error::success();
  // The frame is aligned to a cache line and no more; wider vectors were promised more.
  for (BasicBlock& block : *kernel_) {
    for (Instruction& instruction : block) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        load->setAlignment(std::min(load->getAlign(), maxAlignment()));
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        store->setAlignment(std::min(store->getAlign(), maxAlignment()));
      }
    }
  }
  return llvm::Error::success();
}

uint64_t KernelBuilder::slotFor(llvm::Type& type, llvm::ArrayRef<unsigned> live_at) {
  uint64_t bytes = data_layout_.getTypeAllocSize(&type);
  llvm::Align alignment = frameAlignment(type);
  llvm::BitVector wanted(resumes_.size());
  for (unsigned resume : live_at) wanted.set(resume);
  for (Slot& slot : slots_) {
    if (slot.bytes != bytes || slot.alignment != alignment) continue;
    if (slot.occupied.anyCommon(wanted)) continue;
    slot.occupied |= wanted;
    return slot.offset;
  }
  slots_.push_back({bytes, alignment, frame_layout_.allocate(bytes, alignment.value()), wanted});
  return slots_.back().offset;
}

// The value at a resume point: from its slot, or, without one, made anew.
Value* KernelBuilder::resumeValue(LiveValue& live, unsigned resume) {
  builder_.SetInsertPoint(restores_[resume]->getTerminator());
  if (live.slot) {
    llvm::Type* type = live.value->getType();
    auto* load = builder_.CreateAlignedLoad(type, live.slot, frameAlignment(*type));
    restored_.push_back(load);
    return load;
  }
  llvm::DenseMap<Instruction*, Instruction*>& remade = remade_[resume];
  for (Instruction* step : live.recipe) {
    Instruction*& copy = remade[step];
    if (copy) continue;
    copy = step->clone();
    copy->setDebugLoc({});
    builder_.Insert(copy);
    for (llvm::Use& operand : copy->operands()) {
      auto* source = llvm::dyn_cast<Instruction>(operand);
      auto known = source ? remade.find(source) : remade.end();
      if (known != remade.end()) operand.set(known->second);
    }
    restored_.push_back(copy);
  }
  return remade.lookup(live.value);
}

// Each value that lives across a barrier becomes a variable that its definition and the resume
// points write and the arrivals save; promotion then makes phis of the variables.
llvm::Error KernelBuilder::keepValues() {
  if (live_.empty()) return llvm::Error::success();
  remade_.resize(resumes_.size());
  llvm::SmallVector<AllocaInst*> variables;
  for (LiveValue& live : live_) {
    llvm::Type* type = live.value->getType();
    builder_.SetInsertPoint(&*entry_->begin());
    AllocaInst* variable = builder_.CreateAlloca(type);
    variables.push_back(variable);
    if (live.recipe.empty()) {
      if (type->isTokenTy() || type->isX86_AMXTy()) {
        return internal("a value that cannot be stored lives across a barrier");
      }
      builder_.SetInsertPoint(subgroup_start_->getTerminator());
      live.slot = framePointer(slotFor(*type, live.resumes));
    }
    for (unsigned resume : live.resumes) {
      Value* restored = resumeValue(live, resume);
      builder_.CreateStore(restored, variable);
      if (!live.slot) continue;
      builder_.SetInsertPoint(arrivals_[resume]->getTerminator());
      Value* current = builder_.CreateLoad(type, variable);
      saves_.push_back(builder_.CreateAlignedStore(current, live.slot, frameAlignment(*type)));
    }
  }
  for (auto [live, variable] : llvm::zip(live_, variables)) {
    for (llvm::Use& use : llvm::make_early_inc_range(live.value->uses())) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      BasicBlock* block = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (block != live.value->getParent()) readFromVariable(use, *variable);
    }
    writeToVariable(*live.value, *variable);
  }
  llvm::DominatorTree dominators(*kernel_);
  llvm::PromoteMemToReg(variables, dominators);
  dropUnchangedSaves();
  for (llvm::WeakTrackingVH& restored : restored_) {
    if (restored) llvm::RecursivelyDeleteTriviallyDeadInstructions(restored);
  }
  return llvm::Error::success();
}

// What was restored and not changed since is still in its slot.
void KernelBuilder::dropUnchangedSaves() {
  for (llvm::StoreInst* save : saves_) {
    llvm::SmallPtrSet<Value*, 8> sources{save->getValueOperand()};
    llvm::SmallVector<Value*> work{save->getValueOperand()};
    bool unchanged = true;
    while (unchanged && !work.empty()) {
      Value* source = work.pop_back_val();
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(source)) {
        for (Value* incoming : phi->incoming_values()) {
          if (sources.insert(incoming).second) work.push_back(incoming);
        }
        continue;
      }
      auto* load = llvm::dyn_cast<llvm::LoadInst>(source);
      unchanged = load && load->getPointerOperand() == save->getPointerOperand();
    }
    if (unchanged) save->eraseFromParent();
  }
}

llvm::Expected<WorkgroupKernel> KernelBuilder::build(std::string_view name) {
  llvm::EliminateUnreachableBlocks(subgroup_);
  splitAtBarriers();
  for (auto& [value, resumes] : valuesLiveAcross(subgroup_, resumes_)) {
    live_.push_back({value, resumes, recipe(*value), nullptr});
  }
  for (AllocaInst* alloca : allocasLiveAcross(subgroup_, resumes_)) {
    crossing_allocas_.insert(alloca);
  }
  createKernel(name);
  createLoops();
  // In the order of the signature in jit/spirv/emitter.h.
  Value* arguments[] = {
      kernel_->getArg(0), shared_,        frame_, kernel_->getArg(2), kernel_->getArg(3),
      kernel_->getArg(4), subgroup_index_};
  for (auto [parameter, argument] : llvm::zip_equal(subgroup_.args(), arguments)) {
    parameter.replaceAllUsesWith(argument);
  }
  if (llvm::Error error = placeAllocas()) return error;
  if (llvm::Error error = keepValues()) return error;
  if (frame_stride_) frame_stride_->setOperand(1, builder_.getInt64(frame_layout_.bytes()));
  subgroup_.eraseFromParent();
  uint64_t frames = resumes_.empty() ? 1 : subgroups_;
  return WorkgroupKernel{kernel_, frames * frame_layout_.bytes(),
                         static_cast<unsigned>(resumes_.size())};
}

}  // namespace

llvm::Expected<WorkgroupKernel> buildWorkgroupKernel(Function& subgroup, unsigned subgroups,
                                                     KernelFrame frame, std::string_view name) {
  return KernelBuilder(subgroup, subgroups, frame).build(name);
}

}  // namespace jit::simt
