// SPDX-License-Identifier: Apache-2.0

// Regions of a stream as wide as the workgroup (analysis/subgroup_regions.h): code in which
// invocations do something of their own, emitted for one subgroup in a loop over those that have
// live invocations. So no vector is wider than a subgroup, the code's size does not depend on the
// workgroup's, and it is the code that a stream of one subgroup has.
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

#include "jit/emit/emission.h"
#include "jit/simt/lane_loop.h"

namespace jit::spirv {

// --- loops

void Emission::openLoop(llvm::Value* lanes) {
  auto loop = std::make_unique<SubgroupLoop>();
  llvm::AllocaInst* mask = nullptr;
  auto* bits = ir.getIntNTy(subgroup_size);
  if (lanes != nullptr) {
    mask = dividedSlot(lanes->getType(), "lanes");
    writeSlot(mask, lanes);
  }
  llvm::BasicBlock* before = ir.GetInsertBlock();
  loop->body = llvm::BasicBlock::Create(context, "subgroups", function_);
  loop->latch = llvm::BasicBlock::Create(context, "subgroups.next", function_);
  ir.CreateBr(loop->body);
  ir.SetInsertPoint(loop->body);
  loop->subgroup = ir.CreatePHI(ir.getInt64Ty(), 2, "subgroup");
  loop->subgroup->addIncoming(ir.getInt64(0), before);
  loop->wide = std::exchange(stream_, {});
  stream_.width = subgroup_size;
  stream_.count = loop->wide.width / subgroup_size;
  stream_.linearization = plan_.subgroup_linearization.get();
  stream_.uniformity = plan_.subgroup_uniformity.get();
  stream_.number = ir.CreateTrunc(loop->subgroup, ir.getInt32Ty());
  loop_ = std::move(loop);
  llvm::Value* own = nullptr;
  if (mask != nullptr) {
    own = readPart(mask);
    auto* live = llvm::BasicBlock::Create(context, "subgroup", function_);
    ir.CreateCondBr(ir.CreateICmpNE(ir.CreateBitCast(own, bits), llvm::ConstantInt::get(bits, 0)),
                    live, loop_->latch);
    ir.SetInsertPoint(live);
  }
  const bool is_partial = existing() != nullptr;
  loop_->scope.emplace(lane_context_, simt, LaneContext::ofStream(subgroup_size), own);
  stream_.invocation_number =
      ir.CreateAdd(simt.broadcast(ir.CreateMul(stream_.number, ir.getInt32(subgroup_size))),
                   simt.laneIndices(ir.getInt32Ty()), "invocation");
  if (is_partial)
    lane_context_.existing = ir.CreateICmpULT(stream_.invocation_number,
                                              simt.broadcast(ir.getInt32(invocations)), "existing");
}

void Emission::closeLoop() {
  ir.CreateBr(loop_->latch);
  ir.SetInsertPoint(loop_->latch);
  llvm::Value* next = ir.CreateAdd(loop_->subgroup, ir.getInt64(1));
  loop_->subgroup->addIncoming(next, loop_->latch);
  auto* done = llvm::BasicBlock::Create(context, "together", function_);
  auto* branch =
      ir.CreateCondBr(ir.CreateICmpEQ(next, ir.getInt64(stream_.count)), done, loop_->body);
  simt::keepRolled(*branch);
  ir.SetInsertPoint(done);
  for (Id id : loop_->defined) {
    values_.erase(id);
    pointers_.erase(id);
  }
  for (const auto& [id, pointer] : loop_->variables) pointers_[id] = pointer;
  loop_->scope.reset();
  stream_ = std::move(loop_->wide);
  loop_.reset();
}

llvm::Error Emission::forEachSubgroup(llvm::Value* lanes, llvm::function_ref<llvm::Error()> body) {
  openLoop(lanes);
  llvm::Error error = body();
  closeLoop();
  return error;
}

const Stream& Emission::streamOf(Id id) const {
  return loop_ == nullptr || loop_->defined.count(id) != 0 ? stream_ : loop_->wide;
}

// --- regions

std::unordered_set<Id> Emission::valuesInRegions() const {
  std::unordered_set<Id> ids;
  for (const simt::SubgroupRegion& region : plan_.regions)
    simt::forEachInstruction(region, module, *plan_.linearization, [&](const Instruction& i) {
      if (i.result != 0) ids.insert(i.result);
    });
  return ids;
}

llvm::Value* Emission::firstInvocationOfRegion() {
  if (loop_ == nullptr) return nullptr;
  return ir.CreateMul(loop_->subgroup, ir.getInt64(subgroup_size));
}

llvm::Value* Emission::laneTable(const Type& matrix, uint64_t end,
                                 llvm::function_ref<uint64_t(uint32_t)> number) {
  llvm::SmallVector<llvm::Constant*, 64> lanes;
  for (uint32_t l = 0; l < width(); ++l) lanes.push_back(ir.getInt64(number(l)));
  llvm::Constant* own = llvm::ConstantVector::get(lanes);
  if (loop_ == nullptr || matrix.scope != spv::Scope::Workgroup) return own;
  // As a rule all subgroups' go on as the first one's do.
  const uint64_t step = number(subgroup_size) - number(0);
  auto follows = [&](uint32_t l) {
    const uint64_t by_step = number(l % subgroup_size) + l / subgroup_size * step;
    return number(l) == by_step || (number(l) >= end && by_step >= end);
  };
  if (llvm::all_of(llvm::seq(0u, std::min(loop_->wide.width, invocations)), follows))
    return ir.CreateAdd(simt.broadcast(ir.CreateMul(loop_->subgroup, ir.getInt64(step))), own);
  llvm::SmallVector<uint64_t, 256> all;
  for (uint32_t l = 0; l < loop_->wide.width; ++l) all.push_back(number(l));
  auto* data = llvm::ConstantDataArray::get(context, all);
  auto* table = new llvm::GlobalVariable(output(), data->getType(), /*isConstant=*/true,
                                         llvm::GlobalValue::PrivateLinkage, data, "lanes");
  table->setAlignment(llvm::Align(64));
  return ir.CreateAlignedLoad(
      own->getType(), ir.CreateInBoundsGEP(ir.getInt64Ty(), table, firstInvocationOfRegion()),
      llvm::Align(64));
}

// Of the region's own variables that keep something from one time to the next, the subgroup's.
void Emission::enterVariables(const simt::SubgroupRegion& region) {
  for (Id id : region.variables) {
    auto variable = pointers_.find(id);
    if (region.fresh.count(id) != 0 || variable == pointers_.end()) continue;
    Pointer& p = variable->second;
    if (llvm::isa<llvm::GlobalValue>(p.base)) continue;  // a table of constants
    loop_->variables[id] = p;
    const uint64_t bytes = llvm::alignTo(p.pointee->naturalSize(), 8) * p.lanes;
    p.base = ir.CreateInBoundsGEP(ir.getInt8Ty(), p.base,
                                  ir.CreateMul(loop_->subgroup, ir.getInt64(bytes)));
  }
}

void Emission::enterRegion(const simt::SubgroupRegion& region) {
  openLoop(simt.mask);
  loop_->region = &region;
  loop_->results.insert(region.results.begin(), region.results.end());
  const auto& nodes = stream_.linearization->nodes();
  stream_.code[nodes[region.first].mask_class].mask = simt.mask;
  findForgottenPhis(region.first, region.last);
  for (uint32_t n = region.first + 1; n <= region.last; ++n)
    if (nodes[n].dynamic_header)
      stream_.code[n].loop_mask =
          allocate(simt.vectorOf(ir.getInt1Ty()), "loopmask" + llvm::Twine(n));
  simt::forEachInstruction(region, module, *stream_.linearization, [&](const Instruction& i) {
    if (i.result == 0) return;
    loop_->defined.insert(i.result);
    createSlotsOf(i);
  });
  enterVariables(region);
  DebugValues(*this).enterNode();
}

void Emission::leaveRegion() {
  // Targets that were named, but that nobody reaches.
  for (auto& [node, code] : stream_.code)
    if (code.entry != nullptr && code.entry->empty() && code.entry != ir.GetInsertBlock())
      llvm::IRBuilder<>(code.entry).CreateBr(exit_block_);
  closeLoop();
  DebugValues(*this).enterNode();
}

}  // namespace jit::spirv
