// SPDX-License-Identifier: Apache-2.0

#include "jit/codegen/session.h"

#include <llvm/ADT/BitmaskEnum.h>
#include <llvm/ExecutionEngine/JITLink/ELF_x86_64.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/Orc/SymbolStringPool.h>

#include <array>
#include <optional>

#include "jit/base/error.h"
#include "jit/codegen/code_memory.h"
#include "jit/codegen/debugger.h"
#include "jit/codegen/perf_dump.h"
#include "jit/ir/symbols.h"

namespace jit {

namespace jitlink = llvm::jitlink;
namespace orc = llvm::orc;

struct Session::Memory {
  CodeMemory manager;
};

namespace {

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();  // for MemProt

using FinalizedAlloc = jitlink::JITLinkMemoryManager::FinalizedAlloc;

// What a link has brought about; in-process linking is over when the call returns.
struct LinkResult {
  std::optional<FinalizedAlloc> allocation;
  void* entry = nullptr;
  uint64_t code_bytes = 0;
  llvm::Error error = llvm::Error::success();
};

// Names in a link graph are plain strings up to LLVM 19 and pooled ones from then on.
[[maybe_unused]] llvm::StringRef textOf(llvm::StringRef name) { return name; }
[[maybe_unused]] llvm::StringRef textOf(const orc::SymbolStringPtr& name) { return *name; }

class LinkContext final : public jitlink::JITLinkContext {
 public:
  // `perf_name`: what perf calls the entry; null: it is not told. `addresses`: of the sections, for
  // debuggers; null: they are not told.
  LinkContext(jitlink::JITLinkMemoryManager& memory, const std::string& entry,
              const std::string* perf_name, SectionAddresses* addresses, LinkResult& result)
      : JITLinkContext(nullptr),
        memory_(memory),
        entry_(entry),
        perf_name_(perf_name),
        addresses_(addresses),
        result_(result) {}

  llvm::Error modifyPassConfig(jitlink::LinkGraph&, jitlink::PassConfiguration& passes) override {
    if (perf_name_ != nullptr) addToPerfDump(passes, entry_, *perf_name_);
    if (addresses_ != nullptr) noteSectionAddresses(passes, *addresses_);
    return llvm::Error::success();
  }

  jitlink::JITLinkMemoryManager& getMemoryManager() override { return memory_; }

  void notifyFailed(llvm::Error error) override {
    result_.error = llvm::joinErrors(std::move(result_.error), std::move(error));
  }

  void lookup(const LookupMap& symbols,
              std::unique_ptr<jitlink::JITLinkAsyncLookupContinuation> then) override {
    jitlink::AsyncLookupResult found;
    for (const auto& [name, flags] : symbols) {
      const void* address = findSymbol(textOf(name));
      if (!address) {
        return then->run(internal("the generated code calls " + textOf(name).str() +
                                  ", which kernels cannot (jit/ir/symbols.def)"));
      }
      found[name] = {orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
    }
    then->run(std::move(found));
  }

  // Code that LLVM took for undefined may be no code at all, which lies nowhere. An LLVM that is
  // itself built for control-flow enforcement begins all code that it makes for JITs with
  // `endbr64`.
  static bool isEmpty(const jitlink::Block& block) {
    constexpr std::array<char, 4> kEndBranch = {'\xf3', '\x0f', '\x1e', '\xfa'};
    return block.getSize() == 0 || llvm::equal(block.getContent(), kEndBranch);
  }

  llvm::Error notifyResolved(jitlink::LinkGraph& graph) override {
    for (const jitlink::Section& section : graph.sections()) {
      if ((section.getMemProt() & orc::MemProt::Exec) == orc::MemProt::None) continue;
      for (const jitlink::Block* block : section.blocks()) result_.code_bytes += block->getSize();
    }
    for (const jitlink::Symbol* symbol : graph.defined_symbols()) {
      if (symbol->hasName() && textOf(symbol->getName()) == entry_) {
        if (!symbol->isDefined() || isEmpty(symbol->getBlock()) || !symbol->getAddress())
          return internal("the generated function " + entry_ + " is empty");
        result_.entry = symbol->getAddress().toPtr<void*>();
        return llvm::Error::success();
      }
    }
    return internal("the generated code has no function " + entry_);
  }

  void notifyFinalized(FinalizedAlloc allocation) override {
    result_.allocation = std::move(allocation);
  }

 private:
  jitlink::JITLinkMemoryManager& memory_;
  const std::string& entry_;
  const std::string* const perf_name_;
  SectionAddresses* const addresses_;
  LinkResult& result_;
};

}  // namespace

llvm::Expected<std::unique_ptr<Session>> Session::create(CodeListeners listeners) {
  if (listeners.perf)
    if (llvm::Error error = openPerfDump()) return error;
  return std::unique_ptr<Session>(new Session(std::make_shared<Memory>(), listeners));
}

llvm::Expected<LoadedKernel> Session::load(llvm::ArrayRef<char> object, const std::string& entry,
                                           const std::string& name) {
  const llvm::MemoryBufferRef buffer(llvm::StringRef(object.data(), object.size()), entry);
#if LLVM_VERSION_MAJOR >= 20
  // Kept until the link is over: names outlive the graph that they come from.
  auto names = std::make_shared<orc::SymbolStringPool>();
  auto graph = jitlink::createLinkGraphFromELFObject_x86_64(buffer, names);
#else
  auto graph = jitlink::createLinkGraphFromELFObject_x86_64(buffer);
#endif
  if (!graph) return graph.takeError();
  LinkResult result;
  SectionAddresses addresses;
  jitlink::link_ELF_x86_64(
      std::move(*graph),
      std::make_unique<LinkContext>(memory_->manager, entry, listeners_.perf ? &name : nullptr,
                                    listeners_.debuggers ? &addresses : nullptr, result));
  if (result.error) return std::move(result.error);
  struct Code {
    Code(std::shared_ptr<Memory> memory, FinalizedAlloc allocation)
        : memory(std::move(memory)), allocation(std::move(allocation)) {}
    ~Code() {
      debugged.reset();
      llvm::consumeError(memory->manager.deallocate(std::move(allocation)));
    }
    std::shared_ptr<Memory> memory;
    FinalizedAlloc allocation;
    std::optional<DebuggedObject> debugged;
  };
  auto code = std::make_shared<Code>(memory_, std::move(*result.allocation));
  if (listeners_.debuggers) code->debugged.emplace(object, addresses);
  return LoadedKernel{reinterpret_cast<rt::KernelFunction>(result.entry), result.code_bytes,
                      std::move(code)};
}

}  // namespace jit
