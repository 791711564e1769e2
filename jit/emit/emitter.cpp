// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/emitter.h"

#include "jit/analysis/describe_uniformity.h"
#include "jit/analysis/waterfall_loops.h"
#include "jit/base/debug.h"
#include "jit/emit/emission.h"
#include "jit/emit/matrix_float_check.h"
#include "jit/emit/neighbour_access.h"
#include "jit/emit/race_check.h"
#include "jit/emit/stream_width.h"
#include "jit/emit/uniform_check.h"
#include "jit/ir/function_kind.h"
#include "runtime/kernel_abi.h"

namespace jit::spirv {

namespace {

math::FloatControls floatControls(const Module& module) {
  auto mode = [&](uint32_t width) {
    return math::FloatMode{
        .flushes_denormals = module.hasFloatMode(spv::ExecutionMode::DenormFlushToZero, width),
        .rounds_towards_zero = module.hasFloatMode(spv::ExecutionMode::RoundingModeRTZ, width)};
  };
  return {mode(16), mode(32), mode(64)};
}

llvm::Error checkWorkgroupSize(const Module& module) {
  uint64_t count = 1;
  bool has_none = false;
  for (uint32_t size : module.workgroup_size) {
    has_none |= size == 0;
    count *= std::min(size, kMaxWorkgroupInvocations + 1);
  }
  if (!has_none && count <= kMaxWorkgroupInvocations) return llvm::Error::success();
  const auto& s = module.workgroup_size;
  return unsupported("a workgroup of " + std::to_string(s[0]) + "x" + std::to_string(s[1]) + "x" +
                     std::to_string(s[2]) + " invocations; up to " +
                     std::to_string(kMaxWorkgroupInvocations) + " are supported");
}

}  // namespace

Emission::Emission(const Module& module, const Structure& structure, const KernelRequest& request,
                   const Target& target, llvm::LLVMContext& context, StreamPlan plan)
    : module(module),
      request(request),
      target(target),
      context(context),
      simt(context, plan.width),
      ir(simt.ir),
      subgroup_size(plan.subgroup_size),
      float_controls(floatControls(module)),
      structure_(structure),
      plan_(std::move(plan)),
      checks_shapes_(target.checks_shapes),
      lane_context_(LaneContext::ofStream(plan_.width)) {
  stream_.width = plan_.width;
  stream_.linearization = plan_.linearization.get();
  stream_.uniformity = plan_.uniformity.get();
  // Checks look at each access, and regions of a wide stream may part a block.
  if (!request.checks.any() && plan_.subgroup_linearization == nullptr)
    neighbours = std::make_shared<NeighbourAccess>(*this);
}

llvm::Expected<EmittedKernel> Emission::run() {
  invocations = module.workgroup_size[0] * module.workgroup_size[1] * module.workgroup_size[2];
  kernel_.module =
      std::make_unique<llvm::Module>(request.name.empty() ? "kernel" : request.name, context);
  auto* ptr = llvm::PointerType::get(context, 0);
  auto* i32 = llvm::Type::getInt32Ty(context);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {ptr, ptr, ptr, i32, i32, i32, i32}, false);
  function_ = llvm::Function::Create(type, llvm::Function::InternalLinkage, "subgroup", output());
  setKey(*function_, FunctionKey(FunctionKind::Subgroup));
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  // A shader may compute any device address, and one that is 0 says nothing of the code before it.
  function_->addFnAttr(llvm::Attribute::NullPointerIsValid);
  const char* names[] = {"dispatch", "shared", "frame", "x", "y", "z", "stream"};
  for (unsigned a = 0; a < 7; ++a) function_->getArg(a)->setName(names[a]);
  dispatch_args = function_->getArg(0);
  shared = function_->getArg(1);
  frame_pointer = function_->getArg(2);
  for (unsigned c = 0; c < 3; ++c) workgroup_id[c] = function_->getArg(3 + c);
  stream_.number = function_->getArg(6);
  for (unsigned a = 0; a < 3; ++a) function_->addParamAttr(a, llvm::Attribute::NoAlias);
  function_->addDereferenceableParamAttr(0, sizeof(rt::DispatchArgs));
  function_->addParamAttr(
      0, llvm::Attribute::getWithAlignment(context, llvm::Align(alignof(rt::DispatchArgs))));

  stream_.count = (invocations + stream_.width - 1) / stream_.width;
  kernel_.facts.streams = stream_.count;
  const auto [columns, rows, planes] = module.workgroup_size;
  // Races are looked for in one workgroup after the other, and debuggers see one of them.
  if (columns <= stream_.width && !request.checks.has(rt::Check::Race) &&
      !request.checks.has(kDebug))
    kernel_.facts.rows = rows * planes;
  kernel_.facts.large_objects = hasLargeBuffers();
  kernel_.facts.lanes = stream_.width;

  entry_block_ = llvm::BasicBlock::Create(context, "entry", function_);
  exit_block_ = llvm::BasicBlock::Create(context, "exit", function_);
  start_block_ = llvm::BasicBlock::Create(context, "start", function_);
  llvm::IRBuilder<>(exit_block_).CreateRetVoid();
  llvm::IRBuilder<>(entry_block_).CreateBr(start_block_);
  ir.SetInsertPoint(start_block_);
  debug.locations.begin(module, *function_, request.checks.has(kDebug));
  debug.locations.set(ir, {});
  DebugValues(*this).begin();
  kernel_.facts.is_debugged = debug.is_on;

  if (invocations % stream_.width != 0) {
    // The last subgroup is not full.
    lane_context_.existing =
        ir.CreateICmpULT(invocationNumber(), simt.broadcast(ir.getInt32(invocations)), "mask");
    stream_.code[0].mask = lane_context_.existing;
  }
  RaceCheck(*this).begin();
  UniformCheck(*this).begin();
  kernel_.facts.waits = UniformCheck(*this).waits();
  MatrixFloatCheck(*this).begin();
  createSlots();
  if (llvm::Error error = emitVariables()) return error;
  if (llvm::Error error = emitNodes()) return error;
  UniformCheck(*this).end(*exit_block_->getTerminator());
  ir.SetInsertPoint(exit_block_->getTerminator());
  DebugValues(*this).end();
  math::applyFloatControls(*function_, float_controls);
  debug.locations.finish();
  return std::move(kernel_);
}

llvm::Error shareCounters(Module& module, Structure& structure, const KernelRequest& request) {
  if (request.checks.any() || module.debug.is_wanted ||
      simt::writeWaterfallLoops(module, structure,
                                {module.workgroup_size, request.subgroup_size}) == 0)
    return llvm::Error::success();
  auto changed = buildStructure(module.entry);
  if (!changed) return changed.takeError();
  structure = std::move(*changed);
  return llvm::Error::success();
}

llvm::Expected<EmittedKernel> emitKernel(const Module& module, const Structure& structure,
                                         const KernelRequest& request, const Target& target,
                                         llvm::LLVMContext& context, std::string* uniformity) {
  if (llvm::Error error = checkWorkgroupSize(module)) return error;
  Emission emission(
      module, structure, request, target, context,
      planStream(module, structure, request.subgroup_size, request.component_layout, target));
  auto kernel = emission.run();
  if (kernel && uniformity != nullptr)
    *uniformity = simt::describeUniformity(module, emission.linearization(), emission.uniformity(),
                                           emission.regions());
  return kernel;
}

}  // namespace jit::spirv
