// SPDX-License-Identifier: Apache-2.0

#include "jit/pipeline/passes.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

#include "jit/codegen/codegen.h"
#include "jit/coopmat/component_loops.h"
#include "jit/coopmat/count_products.h"
#include "jit/coopmat/k_loop.h"
#include "jit/coopmat/large_variables.h"
#include "jit/coopmat/lower.h"
#include "jit/coopmat/matrix_variables.h"
#include "jit/coopmat/stage_unrolling.h"
#include "jit/ir/function_kind.h"
#include "jit/passes/access/access_remarks.h"
#include "jit/passes/access/contiguous_access.h"
#include "jit/passes/access/join_tests.h"
#include "jit/passes/access/lane_window.h"
#include "jit/passes/access/masked_access.h"
#include "jit/passes/access/rows_ahead.h"
#include "jit/passes/access/short_rows.h"
#include "jit/passes/access/small_gather.h"
#include "jit/passes/access/strided_access.h"
#include "jit/passes/access/wide_access.h"
#include "jit/passes/code/equal_functions.h"
#include "jit/passes/code/hoist_invariants.h"
#include "jit/passes/code/interruptible_loops.h"
#include "jit/passes/code/local_variables.h"
#include "jit/passes/code/repair_ssa.h"
#include "jit/passes/code/shared_code.h"
#include "jit/passes/code/tested_bits.h"
#include "jit/passes/code/unroll.h"
#include "jit/passes/machine/bfloat_bits.h"
#include "jit/passes/machine/byte_dots.h"
#include "jit/passes/machine/constant_division.h"
#include "jit/passes/machine/expand_small_floats.h"
#include "jit/passes/machine/function_parts.h"
#include "jit/passes/machine/large_blocks.h"
#include "jit/passes/machine/odd_vectors.h"
#include "jit/passes/machine/register_order.h"
#include "jit/passes/machine/replicated_conversions.h"
#include "jit/passes/machine/saturating_conversions.h"
#include "jit/passes/machine/shuffle_networks.h"
#include "jit/passes/machine/structure_shuffles.h"
#include "jit/passes/machine/tile_unit.h"
#include "jit/passes/machine/widened_shuffles.h"
#include "jit/passes/masks/full_loops.h"
#include "jit/passes/masks/full_regions.h"
#include "jit/passes/masks/masks.h"
#include "jit/passes/masks/rare_uses.h"
#include "jit/passes/workgroup/barrier_regions.h"
#include "jit/passes/workgroup/next_workgroup.h"
#include "jit/passes/workgroup/staging_prefetch.h"
#include "jit/passes/workgroup/workgroup_order.h"
#include "jit/passes/workgroup/workgroup_rows.h"
#include "jit/pipeline/pass_list.h"
#include "jit/simt/lane_function.h"

namespace jit {
namespace {

using llvm::Function;
using llvm::PreservedAnalyses;

llvm::InstCombineOptions instCombineOptions() {
  // One round does nearly all; a second one only proves it, at the same price.
  return llvm::InstCombineOptions().setMaxIterations(1).setVerifyFixpoint(false);
}

// The emitter keeps variables and merged values in memory; here they become values.
PreservedAnalyses promote(PassContext& pass, Function& function) {
  promoteLocalVariables(function);
  pass.analyses.invalidate(function, PreservedAnalyses::none());
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass());  // the same address and load for each component
  passes.addPass(llvm::InstCombinePass(instCombineOptions()));  // masks that are all set, addresses
  passes.addPass(llvm::SimplifyCFGPass());                      // edges and merge blocks
  passes.run(function, pass.analyses);
  return PreservedAnalyses::none();
}

// What unrolling and coalescing leave: local arrays at addresses that are constants after all.
PreservedAnalyses promoteArrays(PassContext& pass, Function& function) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());     // folds indices and exit conditions
  passes.addPass(llvm::SimplifyCFGPass());  // drops the iterations that are never entered
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  // Equal operand loads of neighbouring tiles become one; K-loop scheduling builds on that. So do
  // those of rows that are computed one after the other, with stores to workgroup memory in
  // between.
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::InstCombinePass(instCombineOptions()));
  return passes.run(function, pass.analyses);
}

// Arrays of matrices that are still in memory, for their components' sake, are none in loops over
// K.
bool splitAroundProducts(PassContext& pass, Function& function) {
  if (coopmat::splitAroundProducts(function, pass.analyses) == 0) return false;
  promoteLocalVariables(function);
  return true;
}

bool unrollStages(PassContext& pass, Function& function) {
  if (!coopmat::unrollStages(function, pass.target, pass.analyses)) return false;
  pass.analyses.invalidate(function, PreservedAnalyses::none());
  promoteArrays(pass, function);
  return true;
}

// Functions of shared code. Loops in them would not be looked after, if they are to be
// interruptible.
bool shareCode(PassContext& pass, Function& function) {
  if (!pass.target.interruptible) return !outlineSharedCode(function).empty();
  keepSharedCodeInPlace(function);
  return true;
}

bool shareComponentLoops(PassContext& pass, Function& function) {
  return !pass.target.interruptible && coopmat::shareComponentLoops(function, pass.analyses);
}

bool specialize(PassContext& pass) {
  llvm::SmallVector<Function*> shared = functionsOf(pass, PassUnit::Shared);
  specializeByConstants(shared);
  return !shared.empty();
}

llvm::FixedVectorType* eightOf(llvm::Type* element) {
  return llvm::FixedVectorType::get(element, 8);
}

// Of 32-bit and 64-bit elements.
bool hasMaskedAccess(PassContext& pass, Function& function) {
  auto& machine = pass.analyses.getResult<llvm::TargetIRAnalysis>(function);
  auto* floats = eightOf(llvm::Type::getFloatTy(function.getContext()));
  return simt::hasMaskedLoad(machine, floats, llvm::Align(4));
}

// Vector accesses instead of gathers and scatters, of structures and of numbers side by side.
bool coalesceStrided(PassContext& pass, Function& function) {
  return simt::coalesceStridedAccesses(function, hasMaskedAccess(pass, function),
                                       pass.facts.large_objects);
}

bool loadWindows(PassContext& pass, Function& function) {
  return simt::loadLaneWindows(function, pass.target.vector_bytes,
                               pass.analyses.getResult<llvm::TargetIRAnalysis>(function));
}

bool unrollShortRows(PassContext& pass, Function& function) {
  if (!simt::unrollShortRows(function, pass.analyses)) return false;
  pass.analyses.invalidate(function, PreservedAnalyses::none());
  promoteArrays(pass, function);
  return true;
}

bool coalesceContiguous(Function& function) { return simt::coalesceContiguousAccesses(function); }

// On machines that gather words.
bool widenGathers(PassContext& pass, Function& function) {
  auto& machine = pass.analyses.getResult<llvm::TargetIRAnalysis>(function);
  auto* words = eightOf(llvm::Type::getInt32Ty(function.getContext()));
  return machine.isLegalMaskedGather(words, llvm::Align(4)) && simt::widenSmallGathers(function);
}

// Vectors of several numbers are loaded and stored as they lie in memory, and taken apart in
// between. Where all components are treated alike, that is for nothing.
PreservedAnalyses cancelShuffles(PassContext& pass, Function& function) {
  return llvm::VectorCombinePass().run(function, pass.analyses);
}

llvm::Error buildKernel(PassContext& pass) {
  Function* subgroup = findFunction(pass.module, FunctionKey(FunctionKind::Subgroup));
  if (subgroup == nullptr) return llvm::Error::success();
  const bool in_rows =
      pass.facts.rows > 1 && pass.facts.streams > 1 && simt::canRunInRows(*subgroup, pass.analyses);
  auto kernel = simt::buildWorkgroupKernel(*subgroup, pass.facts.streams, in_rows, pass.facts.frame,
                                           pass.kernel_name);
  if (!kernel) return kernel.takeError();
  pass.facts.runs_rows = in_rows;
  pass.facts.is_unordered = !simt::canTellOrder(pass.module);
  pass.facts.scratch_bytes = kernel->scratch_bytes;
  return llvm::Error::success();
}

llvm::SmallVector<Function*> internalFunctions(llvm::Module& module) {
  llvm::SmallVector<Function*> functions;
  for (Function& function : module)
    if (!function.isDeclaration() && function.hasInternalLinkage()) functions.push_back(&function);
  return functions;
}

bool expandHalvesIfNeeded(PassContext& pass) {
  if (pass.target.features.f16c) return false;
  expandHalves(pass.module);
  return true;
}

bool loopOverLanes(PassContext& pass, Function& function) {
  return simt::loopOverWideAccesses(function,
                                    pass.analyses.getResult<llvm::TargetIRAnalysis>(function));
}

// After everything of ours has been inlined and lowered.
PreservedAnalyses tidy(PassContext& pass, Function& function) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());  // address arithmetic of lowered operations
  passes.addPass(llvm::InstCombinePass(instCombineOptions()));
  passes.addPass(llvm::ADCEPass());  // phis of values that are restored but not used
  passes.addPass(llvm::SimplifyCFGPass());
  return passes.run(function, pass.analyses);
}

bool makeInterruptible(PassContext& pass, Function& function) {
  if (pass.target.interruptible) makeLoopsInterruptible(function, pass.analyses);
  return pass.target.interruptible;
}

void splitKernel(PassContext& pass, Function& function) {
  pass.facts.scratch_bytes =
      splitIntoParts(function, pass.target.vector_bytes, pass.facts.scratch_bytes);
}

PassOutcome outcomeOf(bool changed) {
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
PassOutcome outcomeOf(unsigned changes) { return outcomeOf(changes != 0); }
PassOutcome outcomeOf(PreservedAnalyses preserved) { return preserved; }
PassOutcome outcomeOf(const llvm::SmallVector<Function*>&) { return outcomeOf(true); }
PassOutcome outcomeOf(llvm::Error error) {
  if (error) return error;
  return PreservedAnalyses::none();
}

// Of a row's expression.
template <typename Work>
PassOutcome run(Work work) {
  if constexpr (std::is_void_v<decltype(work())>) {
    work();
    return outcomeOf(true);
  } else {
    return outcomeOf(work());
  }
}

constexpr PassRow kRows[] = {
#define STAGE(name_) {.stage = name_},
#define DUMP(name_) {.dump = name_},
#define MODULE_PASS(name_, text_, ...)                                \
  {.name = name_, .text = text_, .on_module = [](PassContext& pass) { \
     return run([&] { return __VA_ARGS__; });                         \
   }},
#define FUNCTION_ROW(name_, functions, text_, cleans_up_, for_speed_, ...) \
  {.name = name_,                                                          \
   .text = text_,                                                          \
   .unit = PassUnit::functions,                                            \
   .cleans_up = cleans_up_,                                                \
   .for_speed = for_speed_,                                                \
   .on_function = [](PassContext& pass, Function& function) {              \
     static_cast<void>(pass);                                              \
     return run([&] { return __VA_ARGS__; });                              \
   }},
#define FUNCTION_PASS(name_, functions, text_, ...) \
  FUNCTION_ROW(name_, functions, text_, false, false, __VA_ARGS__)
#define SPEED_PASS(name_, functions, text_, ...) \
  FUNCTION_ROW(name_, functions, text_, false, true, __VA_ARGS__)
#define CLEANUP_PASS(name_, functions, text_, ...) \
  FUNCTION_ROW(name_, functions, text_, true, false, __VA_ARGS__)
#include "jit/pipeline/passes.def"
#undef CLEANUP_PASS
#undef SPEED_PASS
#undef FUNCTION_PASS
#undef FUNCTION_ROW
#undef MODULE_PASS
#undef DUMP
#undef STAGE
};

}  // namespace

llvm::ArrayRef<PassRow> passRows() { return kRows; }

llvm::SmallVector<Function*> functionsOf(const PassContext& pass, PassUnit unit) {
  llvm::SmallVector<Function*> functions;
  for (Function& function : pass.module) {
    if (function.isDeclaration()) continue;
    const std::optional<FunctionKind> kind = kindOf(function);
    const bool is_subgroup = kind == FunctionKind::Subgroup;
    const bool is_shared = kind == FunctionKind::SharedCode;
    const bool belongs = unit == PassUnit::Functions ||
                         (unit == PassUnit::Subgroup && is_subgroup) ||
                         (unit == PassUnit::Shared && is_shared) ||
                         (unit == PassUnit::Code && (is_subgroup || is_shared)) ||
                         (unit == PassUnit::Kernel && function.getName() == pass.kernel_name);
    if (belongs) functions.push_back(&function);
  }
  return functions;
}

}  // namespace jit
