// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/kernel_facts.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace jit {
namespace {

// !tessera.kernel = !{!0, ...}, !0 = !{!"lanes", i64 32}
constexpr char kName[] = "tessera.kernel";

}  // namespace

void writeFacts(llvm::Module& module, const KernelFacts& facts) {
  llvm::LLVMContext& context = module.getContext();
  llvm::NamedMDNode* node = module.getOrInsertNamedMetadata(kName);
  node->clearOperands();
  auto add = [&](llvm::StringRef name, auto... values) {
    llvm::SmallVector<llvm::Metadata*> operands{llvm::MDString::get(context, name)};
    auto* type = llvm::Type::getInt64Ty(context);
    (operands.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, values))), ...);
    node->addOperand(llvm::MDNode::get(context, operands));
  };
  add("frame", facts.frame.bytes());
  add("lanes", facts.lanes);
  add("streams", facts.streams);
  add("rows", facts.rows);
  if (facts.runs_rows) add("runs rows", 1);
  if (facts.is_unordered) add("is unordered", 1);
  if (facts.uses_tiles) add("uses tiles", 1);
  if (facts.counts_products) add("counts products", 1);
  if (facts.waits) add("waits", 1);
  if (facts.is_debugged) add("is debugged", 1);
  add("scratch", facts.scratch_bytes);
  if (facts.large_objects) add("large objects", 1);
}

KernelFacts readFacts(const llvm::Module& module) {
  KernelFacts facts;
  const llvm::NamedMDNode* node = module.getNamedMetadata(kName);
  if (node == nullptr) return facts;
  for (const llvm::MDNode* row : node->operands()) {
    if (row->getNumOperands() != 2) continue;
    auto* name = llvm::dyn_cast_or_null<llvm::MDString>(row->getOperand(0));
    auto* value = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(row->getOperand(1));
    if (name == nullptr || value == nullptr) continue;
    const uint64_t number = value->getValue().getLimitedValue();
    const llvm::StringRef text = name->getString();
    if (text == "frame") facts.frame = KernelFrame(number);
    if (text == "lanes") facts.lanes = static_cast<uint32_t>(number);
    if (text == "streams") facts.streams = static_cast<uint32_t>(number);
    if (text == "rows") facts.rows = static_cast<uint32_t>(number);
    if (text == "runs rows") facts.runs_rows = number != 0;
    if (text == "is unordered") facts.is_unordered = number != 0;
    if (text == "uses tiles") facts.uses_tiles = number != 0;
    if (text == "counts products") facts.counts_products = number != 0;
    if (text == "waits") facts.waits = number != 0;
    if (text == "is debugged") facts.is_debugged = number != 0;
    if (text == "scratch") facts.scratch_bytes = number;
    if (text == "large objects") facts.large_objects = number != 0;
  }
  return facts;
}

}  // namespace jit
