// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/debug_locations.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Module.h>

namespace jit::spirv {

namespace {

bool hasLocations(const Block& block) {
  return block.terminator.location.line != 0 ||
         llvm::any_of(block.instructions,
                      [](const Instruction& i) { return i.location.line != 0; });
}

}  // namespace

void DebugLocations::begin(const Module& module, llvm::Function& function) {
  if (llvm::none_of(module.entry.blocks, hasLocations)) return;
  module_ = &module;
  llvm::Module& output = *function.getParent();
  output.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  builder_ = std::make_unique<llvm::DIBuilder>(output);
  auto* file = builder_->createFile("shader", "");
  builder_->createCompileUnit(llvm::dwarf::DW_LANG_C, file, "tessera", true, "", 0, "",
                              llvm::DICompileUnit::LineTablesOnly);
  subprogram_ = builder_->createFunction(
      file, module.entry_name, function.getName(), file, 1,
      builder_->createSubroutineType(builder_->getOrCreateTypeArray({})), 1, llvm::DINode::FlagZero,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  function.setSubprogram(subprogram_);
}

void DebugLocations::set(llvm::IRBuilder<>& ir, const Location& location) {
  if (builder_ == nullptr) return;
  llvm::DIScope* scope = subprogram_;
  if (location.file != 0) {
    auto& file = files_[location.file];
    if (file == nullptr) {
      auto name = module_->strings.find(location.file);
      file = builder_->createLexicalBlockFile(
          subprogram_,
          builder_->createFile(name == module_->strings.end() ? "shader" : name->second, ""));
    }
    scope = file;
  }
  ir.SetCurrentDebugLocation(
      llvm::DILocation::get(ir.getContext(), location.line, location.column, scope));
}

void DebugLocations::finish() {
  if (builder_ != nullptr) builder_->finalize();
}

}  // namespace jit::spirv
