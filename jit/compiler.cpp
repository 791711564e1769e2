// SPDX-License-Identifier: Apache-2.0

#include "jit/compiler.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <mutex>
#include <set>
#include <utility>

#include "jit/base/containment.h"
#include "jit/base/diagnostics.h"
#include "jit/base/error.h"
#include "jit/base/profile.h"
#include "jit/base/target.h"
#include "jit/codegen/codegen.h"
#include "jit/codegen/session.h"
#include "jit/coverage_map.h"
#include "jit/emit/emitter.h"
#include "jit/kernel_binary.h"
#include "jit/pipeline/analyses.h"
#include "jit/pipeline/dump.h"
#include "jit/pipeline/passes.h"
#include "jit/spirv/capabilities.h"
#include "jit/spirv/coverage_flags.h"
#include "jit/spirv/flatten_choices.h"
#include "jit/spirv/inactive_sources.h"
#include "jit/spirv/mark_sums.h"
#include "jit/spirv/matrix_scopes.h"
#include "jit/spirv/module.h"
#include "jit/spirv/promote_variables.h"
#include "jit/spirv/shadow_values.h"
#include "jit/spirv/share_values.h"
#include "jit/spirv/structure.h"
#include "jit/ukernel/packed_gemm.h"
#include "runtime/tile_permission.h"

namespace jit {
namespace {

constexpr char kEntry[] = "kernel";

// What a worker may be asked to hold for a kernel besides Workgroup storage.
constexpr uint64_t kMaxScratchBytes = uint64_t{1} << 30;

// The one place where an llvm::Error leaves the compiler.
// What a device keeps for itself of the memory that workgroups share (Tables).
uint32_t reservedSharedBytes(const spirv::Module& module, const KernelRequest& request) {
  const uint32_t reserved = request.tables().reserved_shared_bytes;
  return reserved != 0 && spirv::usesMatrices(module, spv::Scope::Workgroup) ? reserved : 0;
}

CompileError toCompileError(llvm::Error error, std::string_view request_name) {
  CompileError result{CompileError::Kind::Internal, ""};
  llvm::handleAllErrors(
      std::move(error), [&](const Failure& failure) { result = {failure.kind, failure.message}; },
      [&](const llvm::ErrorInfoBase& other) { result.message = other.message(); });
  if (!request_name.empty()) result.message = std::string(request_name) + ": " + result.message;
  while (result.message.ends_with('\n')) result.message.pop_back();
  return result;
}

// LLVM's objects of one request. Not destroyed when LLVM has given the request up in their midst.
struct Workshop {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  EmittedKernel kernel;
  llvm::SmallVector<char, 0> object;
  std::vector<Remark> remarks;
};

class LlvmCompiler final : public Compiler {
 public:
  LlvmCompiler(Options options, Target target, std::unique_ptr<Session> session)
      : options_(std::move(options)),
        target_(std::move(target)),
        target_without_tiles_(withoutHardwareTiles(target_)),
        session_(std::move(session)) {}

  std::variant<std::shared_ptr<const Kernel>, CompileError> compile(
      const KernelRequest& request, const CompileOutputs& outputs) override {
    if (outputs.binary) outputs.binary->clear();
    if (outputs.representations) outputs.representations->clear();
    if (outputs.remarks) outputs.remarks->clear();
    if (outputs.stages) outputs.stages->clear();
    std::shared_ptr<const Kernel> kernel;
    llvm::Error error = runContained([&] { return compile(request, kernel, outputs); },
                                     options_.time_limit, outputs.stages);
    if (!error) return kernel;
    if (outputs.representations) outputs.representations->clear();
    if (outputs.remarks) outputs.remarks->clear();
    return toCompileError(std::move(error), request.name);
  }

  KernelKey keyOf(const KernelRequest& request) const override {
    return jit::keyOf(request, targetOf(request));
  }

  std::variant<std::shared_ptr<const Kernel>, CompileError> load(std::span<const std::byte> binary,
                                                                 const std::string& name) override {
    std::shared_ptr<const Kernel> kernel;
    llvm::Error error = runContained([&] { return load(binary, name, kernel); });
    if (error) return toCompileError(std::move(error), "");
    return kernel;
  }

 private:
  // Of the modules that may have tile instructions, where they may run, and of all others.
  const Target& targetOf(const KernelRequest& request) const {
    const bool has_tiles = target_.features.amx_tile && !target_.emulates_tiles;
    return has_tiles && !(spirv::declaresMatrices(request.spirv) && mayUseTiles())
               ? target_without_tiles_
               : target_;
  }

  // Asks, and says once that there are none.
  bool mayUseTiles() const {
    const rt::TilePermission& permission = rt::tilePermission();
    if (!permission.granted() && options_.warn) {
      std::call_once(refusal_told_, [&] {
        options_.warn(
            "the processor's AMX tiles are not used, and matrices are multiplied with AVX-512, "
            "because the system refuses them to this process: " +
            rt::describeRefusal(permission) + "; TESSERA_ISA=avx512 does without them");
      });
    }
    return permission.granted();
  }

  llvm::Error compile(const KernelRequest& request, std::shared_ptr<const Kernel>& result,
                      const CompileOutputs& outputs) {
    auto workshop = std::make_unique<Workshop>();
    auto kernel = build(request, outputs.representations, outputs.remarks != nullptr, *workshop);
    if (!kernel) return kernel.takeError();
    if (outputs.remarks) *outputs.remarks = std::move(workshop->remarks);
    if (outputs.binary) *outputs.binary = writeBinary(*kernel, workshop->object);
    result = std::make_shared<const Kernel>(std::move(*kernel));
    return llvm::Error::success();
  }

  llvm::Error load(std::span<const std::byte> binary, const std::string& name,
                   std::shared_ptr<const Kernel>& result) {
    auto parts = readBinary(binary);
    if (!parts) return parts.takeError();
    if (parts->kernel.uses_tiles && !mayUseTiles())
      return unsupported("the kernel needs AMX tiles, which the system refuses to this process: " +
                         rt::describeRefusal(rt::tilePermission()));
    if (llvm::Error error = load(parts->object, name, parts->kernel)) return error;
    result = std::make_shared<const Kernel>(std::move(parts->kernel));
    return llvm::Error::success();
  }

  // Gives the kernel its entry and its code.
  llvm::Error load(llvm::ArrayRef<char> object, const std::string& name, Kernel& kernel) {
    auto loaded = session_->load(object, kEntry, name);
    if (!loaded) return loaded.takeError();
    kernel.entry = loaded->entry;
    kernel.code_bytes = loaded->code_bytes;
    kernel.code = std::move(loaded->code);
    return llvm::Error::success();
  }

  llvm::Expected<Kernel> build(const KernelRequest& request,
                               std::vector<Representation>* representations, bool wants_remarks,
                               Workshop& work) {
    Target target = targetOf(request);
    Dump dump(options_.dump_directory, request.name, options_.warn, representations,
              options_.dump_after);
    dump.spirv(request.spirv);
    containDiagnostics(work.context);
    if (wants_remarks || dump.enabled()) listenToRemarks(work.context, work.remarks);
    heedTimeLimitBetweenPasses(work.context);
    beginStage("reading the module");

    auto module = spirv::readModule(request);
    if (!module) return module.takeError();
    for (const std::string& warning : (*module)->warnings) warnOnce(request.name, warning);
    // Others than those that abort end in finite time.
    target.interruptible |= (*module)->has(spv::Capability::AbortKHR);
    spirv::promoteVariables(**module, !request.checks.has(rt::Check::Memory));
    spirv::shareValues(**module);
    spirv::shadowValues(**module, request);
    // What is chosen by a select is a branch no more; and the check of numbers finds none that
    // nobody asks for, which flattened choices compute.
    if (request.checks.has(kCoverage)) spirv::numberCoverage(**module);
    if (!request.checks.has(rt::Check::Float) && !request.checks.has(kCoverage))
      spirv::flattenChoices(**module);
    if (request.checks.has(rt::Check::Uniform)) spirv::followInactiveSources(**module);
    if (request.checks.has(rt::Check::Float)) spirv::markSums(**module);
    beginStage("finding the structure of control flow");
    auto structure = spirv::buildStructure((*module)->entry);
    if (!structure) return structure.takeError();
    if (llvm::Error error = spirv::shareCounters(**module, *structure, request)) return error;
    if (dump.enabled()) dump.text("structure", "txt", describeStructure(**module, *structure));

    beginStage("emission");
    std::string uniformity;
    auto emitted = spirv::emitKernel(**module, *structure, request, target, work.context,
                                     dump.enabled() ? &uniformity : nullptr);
    if (!emitted) return emitted.takeError();
    dump.text("uniformity", "txt", uniformity);
    work.kernel = std::move(*emitted);
    work.kernel.facts.counts_products = request.checks.has(kCountProducts);
    if (dump.enabled()) writeFacts(*work.kernel.module, work.kernel.facts);
    dump.ir("emitted", *work.kernel.module);

    beginStage("optimization");
    auto machine = createTargetMachine(target);
    if (!machine) return machine.takeError();
    work.machine = std::move(*machine);
    setDataLayout(*work.kernel.module, *work.machine);
    Analyses analyses(*work.machine);
    PassContext pass{.module = *work.kernel.module,
                     .target = target,
                     .analyses = analyses.functions(),
                     .facts = work.kernel.facts,
                     .kernel_name = kEntry};
    if (llvm::Error error = runPasses(pass, dump)) return error;
    const uint64_t scratch_bytes = work.kernel.facts.scratch_bytes;
    if (scratch_bytes > kMaxScratchBytes) {
      return unsupported("the variables of a workgroup take " + std::to_string(scratch_bytes) +
                         " bytes; at most " + std::to_string(kMaxScratchBytes) +
                         " are supported: use smaller arrays or fewer invocations");
    }
    beginStage("code generation");
    if (dump.enabled()) {
      auto assembly = generateAssembly(*work.kernel.module, target);
      if (!assembly) return assembly.takeError();
      dump.text("assembly", "s", *assembly);
    }

    auto object = generateObject(*work.kernel.module, *work.machine);
    if (!object) return object.takeError();
    work.object = std::move(*object);
    if (dump.enabled()) {  // those of code generation among them
      const std::string lines = describeRemarks(work.remarks);
      dump.text("remarks", "txt", lines.empty() ? "none\n" : lines);
      if (!lines.empty()) dump.text("remarks", "yaml", remarksAsYaml(work.remarks));
    }
    Kernel kernel{.entry = nullptr,
                  .workgroup_size = (*module)->workgroup_size,
                  .subgroup_size = request.subgroup_size,
                  .shared_bytes = work.kernel.shared_bytes,
                  .declared_shared_bytes =
                      work.kernel.declared_shared_bytes + reservedSharedBytes(**module, request),
                  .scratch_bytes = static_cast<uint32_t>(scratch_bytes),
                  .shares_panels = work.kernel.module->getFunction(ukernel::kFindPanel) != nullptr,
                  .runs_rows = work.kernel.facts.runs_rows,
                  .is_unordered = work.kernel.facts.is_unordered,
                  .in_order = work.kernel.facts.waits,
                  .remarks = remarkCounts(work.context),
                  .uses_tiles = work.kernel.facts.uses_tiles,
                  .used_sets = work.kernel.used_sets,
                  .code_bytes = 0,
                  .code = nullptr};
    beginStage("linking");
    if (llvm::Error error = load(work.object, nameOf(request), kernel)) return error;
    return kernel;
  }

  // Pipelines are often made of one module many times over: each warning is given once.
  void warnOnce(const std::string& request_name, const std::string& warning) {
    if (!options_.warn) return;
    {
      const std::lock_guard lock(mutex_);
      if (!warned_.insert(warning).second) return;
    }
    options_.warn(request_name.empty() ? warning : request_name + ": " + warning);
  }

  const Options options_;
  const Target target_, target_without_tiles_;
  mutable std::once_flag refusal_told_;
  std::mutex mutex_;
  std::set<std::string> warned_;  // under mutex_
  const std::unique_ptr<Session> session_;
};

}  // namespace

std::variant<std::unique_ptr<Compiler>, CompileError> Compiler::create(Options options) {
  Target target;
  std::unique_ptr<Session> session;
  llvm::Error error = runContained([&]() -> llvm::Error {
    target = makeTarget(options.isa, options.tiles);
    target.exact = options.exact;
    target.checks_shapes = options.checks_shapes;
    target.interruptible = options.interruptible;
    auto created = Session::create({.perf = options.perf_dump, .debuggers = options.debuggers});
    if (!created) return created.takeError();
    session = std::move(*created);
    return llvm::Error::success();
  });
  if (error) return toCompileError(std::move(error), "");
  return std::make_unique<LlvmCompiler>(std::move(options), std::move(target), std::move(session));
}

}  // namespace jit
