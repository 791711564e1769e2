// SPDX-License-Identifier: Apache-2.0

#include "jit/codegen/perf_dump.h"

#include <llvm/ADT/BitmaskEnum.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/ExecutionEngine/Orc/Debugging/DebugInfoSupport.h>
#include <llvm/ExecutionEngine/Orc/Shared/PerfSharedStructs.h>
#include <llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderPerf.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "jit/base/error.h"
#include "runtime/process.h"

namespace jit {
namespace {

namespace jitlink = llvm::jitlink;
namespace orc = llvm::orc;
using orc::shared::SPSError;

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();  // for MemProt

// The process that the file is of, once it is open.
struct PerfFile {
  std::mutex mutex;
  std::optional<rt::Home> home;  // under mutex
};

PerfFile& perfFile() {
  static PerfFile file;
  return file;
}

#if LLVM_VERSION_MAJOR >= 22
using Answer = orc::shared::WrapperFunctionBuffer;
#else
using Answer = orc::shared::WrapperFunctionResult;
#endif

// Calls one of LLVM's functions that write the file.
template <typename Signature, auto kFunction, typename... Values>
llvm::Error call(const Values&... values) {
  llvm::Error result = llvm::Error::success();
  llvm::Error error = orc::shared::WrapperFunction<Signature>::call(
      [](const char* data, size_t bytes) { return Answer(kFunction(data, bytes)); }, result,
      values...);
  return llvm::joinErrors(std::move(error), std::move(result));
}

// Names in a link graph are plain strings up to LLVM 19 and pooled ones from then on.
[[maybe_unused]] std::string stringOf(llvm::StringRef name) { return name.str(); }
[[maybe_unused]] std::string stringOf(const orc::SymbolStringPtr& name) { return (*name).str(); }

bool isCode(const jitlink::Symbol& symbol) {
  return symbol.hasName() && symbol.getSize() != 0 &&
         (symbol.getSection().getMemProt() & orc::MemProt::Exec) != orc::MemProt::None;
}

// Sizes of records as the format counts them (linux,
// tools/perf/Documentation/jitdump-specification.txt): a header of id, size and time stamp, then
// these.
constexpr uint32_t kHeaderBytes = 16, kLoadBytes = 40, kLinesBytes = 16, kLineBytes = 16;

orc::PerfJITCodeLoadRecord codeRecord(const jitlink::Symbol& symbol, std::string name) {
  static std::atomic<uint64_t> codes = 0;
  const uint64_t address = symbol.getAddress().getValue();
  const auto bytes =
      static_cast<uint32_t>(kHeaderBytes + kLoadBytes + name.size() + 1 + symbol.getSize());
  return {.Prefix = {orc::PerfJITRecordType::JIT_CODE_LOAD, bytes},
          .Pid = 0,  // what writes it knows it, and the thread
          .Tid = 0,
          .Vma = address,
          .CodeAddr = address,
          .CodeSize = symbol.getSize(),
          .CodeIndex = codes++,
          .Name = std::move(name)};
}

std::optional<orc::PerfJITDebugInfoRecord> lineRecord(const jitlink::Symbol& symbol,
                                                      llvm::DWARFContext& debug_info) {
  const uint64_t address = symbol.getAddress().getValue();
  orc::PerfJITDebugInfoRecord record;
  uint32_t bytes = kHeaderBytes + kLinesBytes;
  for (const auto& [at, line] : debug_info.getLineInfoForAddressRange(
           {address, llvm::object::SectionedAddress::UndefSection}, symbol.getSize(),
           {llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue})) {
    if (line.Line == 0) continue;  // the compiler's own
    record.Entries.push_back(
        {.Addr = at, .Lineno = line.Line, .Discrim = line.Column, .Name = line.FileName});
    bytes += static_cast<uint32_t>(kLineBytes + line.FileName.size() + 1);
  }
  if (record.Entries.empty()) return std::nullopt;
  record.Prefix = {orc::PerfJITRecordType::JIT_CODE_DEBUG_INFO, bytes};
  record.CodeAddr = address;
  return record;
}

// Debug information, all that a graph has without memory for it, is no part of what is linked
// unless something refers to it.
llvm::Error keepDebugInfo(jitlink::LinkGraph& graph) {
  for (jitlink::Section& section : graph.sections()) {
    if (section.getMemLifetime() != orc::MemLifetime::NoAlloc) continue;
    std::vector<jitlink::Block*> blocks(section.blocks().begin(), section.blocks().end());
    for (jitlink::Block* block : blocks)
      graph.addAnonymousSymbol(*block, 0, block->getSize(), /*IsCallable=*/false, /*IsLive=*/true);
  }
  return llvm::Error::success();
}

llvm::Error writeRecords(jitlink::LinkGraph& graph, const std::string& entry,
                         const std::string& name) {
  {
    std::lock_guard lock(perfFile().mutex);
    if (!perfFile().home || !perfFile().home->isHere()) return llvm::Error::success();
  }
  auto debug_info = orc::createDWARFContext(graph);
  if (!debug_info) return debug_info.takeError();
  orc::PerfJITRecordBatch batch;
  for (const jitlink::Symbol* symbol : graph.defined_symbols()) {
    if (!isCode(*symbol)) continue;
    const std::string own = stringOf(symbol->getName());
    if (auto lines = lineRecord(*symbol, *debug_info->first))
      batch.DebugInfoRecords.push_back(std::move(*lines));
    batch.CodeLoadRecords.push_back(codeRecord(*symbol, own == entry ? name : name + ": " + own));
  }
  batch.UnwindingRecord.Prefix.TotalSize = 0;
  return call<SPSError(orc::shared::SPSPerfJITRecordBatch), llvm_orc_registerJITLoaderPerfImpl>(
      batch);
}

}  // namespace

llvm::Error openPerfDump() {
  PerfFile& file = perfFile();
  std::lock_guard lock(file.mutex);
  if (file.home) return llvm::Error::success();
  if (llvm::Error error = call<SPSError(), llvm_orc_registerJITLoaderPerfStart>())
    return unsupported(llvm::toString(std::move(error)));
  file.home.emplace();
  return llvm::Error::success();
}

void addToPerfDump(jitlink::PassConfiguration& passes, const std::string& entry,
                   const std::string& name) {
  passes.PrePrunePasses.push_back(keepDebugInfo);
  passes.PostFixupPasses.push_back(
      [entry, name](jitlink::LinkGraph& graph) { return writeRecords(graph, entry, name); });
}

}  // namespace jit
