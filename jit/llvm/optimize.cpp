// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/optimize.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "jit/coopmat/k_loop.h"
#include "jit/coopmat/large_variables.h"
#include "jit/coopmat/lower.h"
#include "jit/coopmat/stage_unrolling.h"
#include "jit/error.h"
#include "jit/llvm/analyses.h"
#include "jit/llvm/bfloat_bits.h"
#include "jit/llvm/codegen.h"
#include "jit/llvm/constant_division.h"
#include "jit/llvm/containment.h"
#include "jit/llvm/equal_functions.h"
#include "jit/llvm/expand_small_floats.h"
#include "jit/llvm/function_parts.h"
#include "jit/llvm/hoist_invariants.h"
#include "jit/llvm/interruptible_loops.h"
#include "jit/llvm/large_blocks.h"
#include "jit/llvm/local_variables.h"
#include "jit/llvm/masks.h"
#include "jit/llvm/odd_vectors.h"
#include "jit/llvm/shared_code.h"
#include "jit/llvm/shuffle_networks.h"
#include "jit/llvm/undefined_ends.h"
#include "jit/llvm/unroll.h"
#include "jit/simt/aligned_lanes.h"
#include "jit/simt/barrier_regions.h"
#include "jit/simt/contiguous_access.h"
#include "jit/simt/lane_bounds.h"
#include "jit/simt/lane_chunks.h"
#include "jit/simt/lane_function.h"
#include "jit/simt/repair_ssa.h"
#include "jit/simt/small_gather.h"
#include "jit/simt/staging_prefetch.h"
#include "jit/simt/strided_access.h"
#include "jit/simt/uniform_induction.h"
#include "jit/simt/uniform_masks.h"
#include "jit/simt/wide_access.h"

namespace jit {
namespace {

llvm::Error verify(const llvm::Module& module, const char* stage) {
  std::string complaints;
  llvm::raw_string_ostream stream(complaints);
  if (!llvm::verifyModule(module, &stream)) return llvm::Error::success();
  return internal(std::string("the LLVM IR after ") + stage + " is not valid: " + complaints);
}

llvm::InstCombineOptions instCombineOptions() {
  // One round does nearly all; a second one only proves it, at the same price.
  return llvm::InstCombineOptions().setMaxIterations(1).setVerifyFixpoint(false);
}

// The emitter keeps variables and merged values in memory; here they become values.
void promote(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  promoteLocalVariables(function);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass());  // the same address and load for each component
  passes.addPass(llvm::InstCombinePass(instCombineOptions()));  // masks that are all set, addresses
  passes.addPass(llvm::SimplifyCFGPass());                      // edges and merge blocks
  passes.run(function, analyses);
}

// What unrolling and narrowing leave: local arrays at places that are constants after all.
void promoteArrays(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());     // folds indices and exit conditions
  passes.addPass(llvm::SimplifyCFGPass());  // drops the iterations that are never entered
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  // Equal operand loads of neighbouring tiles become one; K-loop scheduling builds on that.
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass(instCombineOptions()));
  passes.run(function, analyses);
}

// Vector accesses instead of gathers and scatters.
bool narrowAccesses(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& machine = analyses.getResult<llvm::TargetIRAnalysis>(function);
  auto* floats = llvm::FixedVectorType::get(llvm::Type::getFloatTy(function.getContext()), 8);
  const bool masked = machine.isLegalMaskedLoad(floats, llvm::Align(4), 0);
  const bool strided = simt::narrowStridedAccesses(function, masked);
  return simt::narrowContiguousAccesses(function, /*keeps_wide_scatters=*/true) || strided;
}

bool machineGathersWords(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto* words = llvm::FixedVectorType::get(llvm::Type::getInt32Ty(function.getContext()), 8);
  return analyses.getResult<llvm::TargetIRAnalysis>(function).isLegalMaskedGather(words,
                                                                                  llvm::Align(4));
}

// Makes what is uniform or contiguous plain, takes local arrays apart, and narrows accesses.
void narrow(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto changed = [&] { analyses.invalidate(function, llvm::PreservedAnalyses::none()); };
  bool narrowed = divideByConstants(function);
  // The next three make what each invocation computes for itself visibly uniform or contiguous.
  narrowed |= simt::splitUniformInductions(function, analyses);
  narrowed |= simt::simplifyAlignedLanes(function);
  narrowed |= simt::simplifyUniformMasks(function, analyses);
  narrowed |= simt::simplifyLaneBounds(function);
  narrowed |= narrowAccesses(function, analyses);
  if (narrowed) changed();
  const bool unrolled = unrollLoopsOverLocalArrays(function, analyses);
  if (unrolled) changed();
  if (narrowed || unrolled) promoteArrays(function, analyses);
  bool gathered = narrowAccesses(function, analyses);
  if (machineGathersWords(function, analyses)) gathered |= simt::widenSmallGathers(function);
  if (gathered) changed();
}

llvm::SmallVector<llvm::Function*> internalFunctions(llvm::Module& module) {
  llvm::SmallVector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.hasInternalLinkage()) functions.push_back(&function);
  return functions;
}

// After everything of ours has been inlined and lowered.
void tidy(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());  // address arithmetic of lowered operations
  passes.addPass(llvm::InstCombinePass(instCombineOptions()));
  passes.addPass(llvm::ADCEPass());  // phis of values that are restored but not used
  passes.addPass(llvm::SimplifyCFGPass());
  passes.run(function, analyses);
  if (hoistInvariants(function, analyses)) {
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  }
}

}  // namespace

llvm::Expected<uint64_t> optimize(spirv::EmittedKernel& kernel, const std::string& name,
                                  const Target& target, llvm::TargetMachine& machine, Dump& dump) {
  llvm::Module& module = *kernel.module;
  // First, because asking the machine about a function makes a subtarget for its attributes; again
  // below, for the functions that have come since.
  setTargetAttributes(module, target);
  llvm::Function& subgroup = *module.getFunction(spirv::kSubgroupFunction);
  Analyses all_analyses(machine);
  llvm::FunctionAnalysisManager& analyses = all_analyses.functions();
  auto changed = [&] { analyses.invalidate(subgroup, llvm::PreservedAnalyses::none()); };

  simt::inlineLaneFunctions(module);
  simt::repairSsa(subgroup);
  if (llvm::Error error = verify(module, "emission")) return error;
  coopmat::keepLargeVariablesInFrame(subgroup, kernel.matrix_sizes, kernel.frame, analyses);
  // Loops in functions of their own would not be looked after, if they are to be interruptible.
  llvm::SmallVector<llvm::Function*> shared;
  if (target.interruptible)
    keepSharedCodeInPlace(subgroup);
  else
    shared = outlineSharedCode(subgroup);
  promote(subgroup, analyses);
  shared = specializeByConstants(shared);
  for (llvm::Function* function : shared) {
    promote(*function, analyses);
    narrow(*function, analyses);
  }
  beginStage("narrowing accesses");
  narrow(subgroup, analyses);
  if (coopmat::unrollStages(subgroup, target, analyses)) {
    changed();
    promoteArrays(subgroup, analyses);
  }
  dump.ir("promoted", module);

  beginStage("scheduling of matrix products");
  if (coopmat::runKLoopScheduling(subgroup, target, kernel.frame, analyses)) {
    changed();
    dump.ir("scheduled", module);
  }
  simt::prefetchStagedLoads(subgroup, analyses);
  beginStage("lowering of matrix operations");
  analyses.clear();
  if (llvm::Error error =
          coopmat::lowerPseudoOps(module, target, kernel.frame, kernel.matrix_sizes, kernel.lanes))
    return error;
  dump.ir("lowered", module);

  beginStage("making the workgroup's loops");
  auto workgroup = simt::buildWorkgroupKernel(subgroup, kernel.streams, kernel.frame, name);
  if (!workgroup) return workgroup.takeError();
  dump.ir("workgroup", module);

  beginStage("late passes");
  mergeEqualFunctions(internalFunctions(module));
  if (!target.features.f16c) expandHalves(module);
  setTargetAttributes(module, target);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const auto& machine = analyses.getResult<llvm::TargetIRAnalysis>(function);
    const bool looped = simt::loopOverLaneChunks(function, kernel.lanes);
    const bool stored = kernel.lanes > simt::kMostLanesInRegisters &&
                        simt::narrowContiguousAccesses(function, /*keeps_wide_scatters=*/false);
    // The accesses in such loops are many as a rule.
    const bool accessed = simt::loopOverWideAccesses(function, machine, looped ? 16 : 64);
    if (looped || stored || accessed)
      analyses.invalidate(function, llvm::PreservedAnalyses::none());
    tidy(function, analyses);
    dropChoicesByEmptyMasks(function);
    compareAtUses(function);
  }
  expandBfloats(module, target.features.avx512_bf16 && !target.exact);
  carryBfloatsAsBits(module);
  if (target.interruptible) makeLoopsInterruptible(*module.getFunction(name), analyses);
  beginStage("splitting into parts");
  splitLargeSwitches(*module.getFunction(name));
  const uint64_t scratch_bytes =
      splitIntoParts(*module.getFunction(name), target.vector_bytes, workgroup->scratch_bytes);
  for (llvm::Function& function : module) {
    cutLargeBlocks(function, target.vector_bytes);
    splitOddVectors(function, target.vector_bytes);
    separateShuffleLevels(function, target.vector_bytes);
  }
  dump.ir("final", module);
  if (llvm::Error error = verify(module, "optimization")) return error;
  if (endsUndefined(*module.getFunction(name)))
    return internal("the optimizer found the kernel's code undefined, and left nothing of it");
  return scratch_bytes;
}

}  // namespace jit
