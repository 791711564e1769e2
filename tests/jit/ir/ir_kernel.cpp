// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/ir/ir_kernel.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/base/diagnostics.h"
#include "jit/codegen/codegen.h"

namespace jit::test {
namespace {

constexpr uint8_t kPattern = 0xa5;

}  // namespace

IrModule::IrModule(const std::string& text) {
  containDiagnostics(context_);
  llvm::SMDiagnostic diagnostic;
  module_ = llvm::parseAssemblyString(text, diagnostic, context_);
  if (!module_) {
    std::string message;
    llvm::raw_string_ostream stream(message);
    diagnostic.print("", stream);
    ADD_FAILURE() << message;
    module_ = std::make_unique<llvm::Module>("empty", context_);
  }
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(makeTarget(rt::Isa::Reference));
  setDataLayout(*module_, **machine);
}

std::string IrModule::text() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module_->print(stream, nullptr);
  return text;
}

std::string IrModule::complaints() const {
  std::string complaints;
  llvm::raw_string_ostream stream(complaints);
  llvm::verifyModule(*module_, &stream);
  return complaints;
}

llvm::Expected<LoadedKernel> IrModule::load(const std::string& entry, const Target& target) {
  static llvm::Expected<std::unique_ptr<Session>> session = Session::create();
  auto machine = createTargetMachine(target);
  if (!machine) return machine.takeError();
  setTargetAttributes(*module_, target);
  auto object = generateObject(*module_, **machine);
  if (!object) return object.takeError();
  return (*session)->load(*object, entry);
}

std::vector<KernelMemory::Line> KernelMemory::guarded(size_t bytes) {
  std::vector<Line> lines((bytes + sizeof(Line) - 1) / sizeof(Line) + 1);
  for (Line& line : lines) line.bytes.fill(kPattern);
  return lines;
}

KernelMemory::KernelMemory(size_t words, size_t shared_bytes, size_t scratch_bytes)
    : words(words, 0), shared_(guarded(shared_bytes)), scratch_(guarded(scratch_bytes)) {}

void KernelMemory::run(const LoadedKernel& kernel, std::array<uint32_t, 3> workgroup) {
  rt::DispatchArgs dispatch{};
  dispatch.sets[0] = reinterpret_cast<const std::byte*>(words.data());
  rt::WorkgroupMemory memory{reinterpret_cast<std::byte*>(shared_.data()),
                             reinterpret_cast<std::byte*>(scratch_.data())};
  kernel.entry(&dispatch, &memory, workgroup[0], workgroup[1], workgroup[2], 1);
}

bool KernelMemory::guardsAreIntact() const {
  for (const std::vector<Line>* lines : {&shared_, &scratch_}) {
    for (uint8_t byte : lines->back().bytes) {
      if (byte != kPattern) return false;
    }
  }
  return true;
}

}  // namespace jit::test
