// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/debug_locations.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>

namespace jit::spirv {

namespace {

bool hasLocations(const Block& block) {
  return block.terminator.location.line != 0 ||
         llvm::any_of(block.instructions,
                      [](const Instruction& i) { return i.location.line != 0; });
}

// Of blocks around each other; a module may say that they go in circles.
constexpr int kMostBlocks = 256;

}  // namespace

void DebugLocations::begin(const Module& module, llvm::Function& function, bool for_debuggers) {
  if (llvm::none_of(module.entry.blocks, hasLocations)) return;
  module_ = &module;
  context_ = &function.getContext();
  for_debuggers_ = for_debuggers;
  llvm::Module& output = *function.getParent();
  output.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  builder_ = std::make_unique<llvm::DIBuilder>(output);
  llvm::DIFile* file = this->file(0);
  std::string name = module.entry_name;
  unsigned line = 1;
  if (for_debuggers) {
    findFunctions();
    const std::string own = module.functionName(module.entry.id);
    if (!own.empty()) name = own;
    auto scope = module.debug.scopes.find(functions_[0]);
    if (scope != module.debug.scopes.end()) {
      file = this->file(scope->second.file);
      line = scope->second.line;
    }
  }
  builder_->createCompileUnit(
      for_debuggers ? llvm::dwarf::DW_LANG_C_plus_plus_14 : llvm::dwarf::DW_LANG_C, file, "tessera",
      /*isOptimized=*/!for_debuggers, "", 0, "",
      for_debuggers ? llvm::DICompileUnit::FullDebug : llvm::DICompileUnit::LineTablesOnly);
  auto flags = llvm::DISubprogram::SPFlagDefinition;
  if (!for_debuggers) flags |= llvm::DISubprogram::SPFlagOptimized;
  // To debuggers no line is reached before the frame is there.
  subprogram_ = createFunction(name, file, line, for_debuggers ? 0 : line, flags);
  function.setSubprogram(subprogram_);
}

// Of debuggers' functions statements begin where stopAt() says, not at each instruction of another
// line: some are done later, in a block that may lie in front of the line's own.
llvm::DISubprogram* DebugLocations::createFunction(llvm::StringRef name, llvm::DIFile* file,
                                                   unsigned line, unsigned first_line,
                                                   llvm::DISubprogram::DISPFlags flags) {
  auto* type = builder_->createSubroutineType(builder_->getOrCreateTypeArray({}));
#if LLVM_VERSION_MAJOR >= 22
  return builder_->createFunction(file, name, "", file, line, type, first_line,
                                  llvm::DINode::FlagZero, flags, nullptr, nullptr, nullptr, nullptr,
                                  "", /*UseKeyInstructions=*/for_debuggers_);
#else
  return builder_->createFunction(file, name, "", file, line, type, first_line,
                                  llvm::DINode::FlagZero, flags);
#endif
}

void DebugLocations::findFunctions() {
  functions_[0] = 0;
  auto look = [&](const Location& location) {
    Id scope = location.scope;
    for (int depth = 0; depth < kMostBlocks; ++depth) {
      auto found = module_->debug.scopes.find(scope);
      if (found == module_->debug.scopes.end()) return;
      if (found->second.is_function) break;
      scope = found->second.parent;
    }
    Id& function = functions_[location.call];
    if (function == 0) function = scope;
  };
  auto lookAt = [&](const Instruction& i) {
    const Location* at = &ofClient(i.location);
    functions_.try_emplace(at->call, 0);
    while (at->scope != 0) {
      look(*at);
      if (at->call == 0) break;
      at = &ofClient(module_->inlined_calls[at->call - 1].at);
    }
  };
  for (const Block& block : module_->entry.blocks) {
    for (const Instruction& i : block.instructions) lookAt(i);
    lookAt(block.terminator);
  }
}

const Location& ofClient(const Module& module, const Location& location) {
  const Location* at = &location;
  while (at->call != 0 && module.inlined_calls[at->call - 1].is_written)
    at = &module.inlined_calls[at->call - 1].at;
  return *at;
}

std::vector<Location> DebugLocations::functions() const {
  std::vector<Location> places;
  for (const auto& [call, function] : functions_)
    places.push_back({.call = call, .scope = function});
  return places;
}

llvm::DIFile* DebugLocations::file(Id id) {
  llvm::DIFile*& file = files_[id];
  if (file != nullptr) return file;
  auto name = module_->strings.find(id);
  file = builder_->createFile(name == module_->strings.end() ? "shader" : name->second, "");
  return file;
}

llvm::DISubprogram* DebugLocations::subprogramOf(uint32_t call) {
  if (call == 0) return subprogram_;
  const Id function = functions_[call];
  const std::string& name = module_->inlined_calls[call - 1].function;
  llvm::DISubprogram*& result = subprograms_[{function, name}];
  if (result != nullptr) return result;
  auto scope = module_->debug.scopes.find(function);
  const bool is_known = scope != module_->debug.scopes.end();
  llvm::DIFile* file = this->file(is_known ? scope->second.file : 0);
  const unsigned line = is_known ? scope->second.line : 0;
  result = createFunction(name.empty() && is_known ? scope->second.name : name, file, line, line,
                          llvm::DISubprogram::SPFlagDefinition);
  return result;
}

// Blocks from the function inwards.
llvm::DIScope* DebugLocations::blockIn(Id scope, llvm::DISubprogram* function) {
  llvm::SmallVector<Id, 8> path;
  llvm::DIScope* around = function;
  for (Id id = scope; path.size() < kMostBlocks;) {
    auto known = blocks_.find({id, function});
    if (known != blocks_.end()) {
      around = known->second;
      break;
    }
    auto found = module_->debug.scopes.find(id);
    if (found == module_->debug.scopes.end() || found->second.is_function) break;
    path.push_back(id);
    id = found->second.parent;
  }
  for (Id id : llvm::reverse(path)) {
    const DebugScope& block = module_->debug.scopes.at(id);
    around = builder_->createLexicalBlock(around, file(block.file), block.line, block.column);
    blocks_[{id, function}] = around;
  }
  return around;
}

llvm::DIScope* DebugLocations::scopeOf(const Location& location) {
  return blockIn(location.scope, subprogramOf(location.call));
}

llvm::DILocation* DebugLocations::callerOf(uint32_t call) {
  if (call == 0) return nullptr;
  auto known = callers_.find(call);
  if (known != callers_.end()) return known->second;
  const Location& at = ofClient(module_->inlined_calls[call - 1].at);
  llvm::DILocation* result =
      llvm::DILocation::getDistinct(*context_, at.line, at.column, scopeOf(at), callerOf(at.call));
  callers_[call] = result;
  return result;
}

llvm::DILocation* DebugLocations::placeOf(const Location& location) {
  const Location& at = ofClient(location);
  llvm::DIScope* scope = scopeOf(at);
  if (at.file != 0 && file(at.file) != scope->getFile()) {
    llvm::DIScope*& in_file = scopes_in_files_[{scope, at.file}];
    if (in_file == nullptr) in_file = builder_->createLexicalBlockFile(scope, file(at.file));
    scope = in_file;
  }
  return llvm::DILocation::get(*context_, at.line, at.column, scope, callerOf(at.call));
}

llvm::DILocation* DebugLocations::stopAt(llvm::DILocation& place) const {
#if LLVM_VERSION_MAJOR >= 22
  return llvm::DILocation::get(*context_, place.getLine(), place.getColumn(), place.getScope(),
                               place.getInlinedAt(), place.isImplicitCode(),
                               context_->incNextDILocationAtomGroup(), /*AtomRank=*/1);
#else
  return &place;
#endif
}

void DebugLocations::set(llvm::IRBuilder<>& ir, const Location& location) {
  if (builder_ == nullptr) return;
  if (for_debuggers_) return ir.SetCurrentDebugLocation(placeOf(location));
  llvm::DIScope* scope = subprogram_;
  if (location.file != 0) {
    llvm::DIScope*& in_file = scopes_in_files_[{subprogram_, location.file}];
    if (in_file == nullptr)
      in_file = builder_->createLexicalBlockFile(subprogram_, file(location.file));
    scope = in_file;
  }
  ir.SetCurrentDebugLocation(
      llvm::DILocation::get(ir.getContext(), location.line, location.column, scope));
}

void DebugLocations::finish() {
  if (builder_ != nullptr) builder_->finalize();
}

}  // namespace jit::spirv
