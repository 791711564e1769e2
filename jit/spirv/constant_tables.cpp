// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/constant_tables.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include "jit/ir/vector_data.h"
#include "jit/spirv/memory_layout.h"
#include "jit/spirv/module.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"
#include "runtime/kernel_abi.h"

namespace jit::spirv {

namespace {

bool holdsArray(const Type* type) {
  if (type->kind == TypeKind::Array) return true;
  return type->kind == TypeKind::Struct &&
         llvm::any_of(type->members, [](const Member& m) { return holdsArray(m.type); });
}

class Search {
 public:
  explicit Search(Module& module) : module_(module) {}

  void run() {
    for (const Variable& v : module_.variables) declare(v);
    for (const Variable& v : module_.entry.variables) declare(v);
    // Whose address is the value of another variable may be written through that.
    for (const Variable& v : module_.variables) tables_.erase(v.initializer);
    if (tables_.empty()) return;
    findPointers();
    for (const Block& block : module_.entry.blocks) {
      for (const Instruction& i : block.instructions) look(i);
      for (Id id : valueOperands(block.terminator)) tables_.erase(rootOf(id));
    }
    std::erase_if(tables_, [](const auto& table) { return table.second == 0; });
    if (tables_.empty()) return;
    for (Variable& v : module_.variables) mark(v);
    for (Variable& v : module_.entry.variables) mark(v);
    for (Block& block : module_.entry.blocks)
      std::erase_if(block.instructions, [&](const Instruction& i) {
        return (i.op == spv::Op::OpStore || i.op == spv::Op::OpLifetimeStart) &&
               tables_.contains(i.operands[0]);
      });
  }

 private:
  bool isConstant(Id id) const {
    const Constant* constant = module_.constant(id);
    return constant != nullptr && !constant->undef;
  }

  void declare(const Variable& v) {
    if (v.storage != spv::StorageClass::Function && v.storage != spv::StorageClass::Private) return;
    // A client's own decoration proves nothing: no store may reach the kernel's data.
    if (const auto known = module_.decorations.find(v.id); known != module_.decorations.end())
      known->second.non_writable = false;
    const Type* type = v.type->element;
    if (type == nullptr || v.type->untyped || !holdsArray(type) || holdsMatrix(type)) return;
    if (v.initializer != 0 && !isConstant(v.initializer)) return;
    tables_[v.id] = v.initializer;
    roots_[v.id] = v.id;
  }

  Id rootOf(Id pointer) const {
    const auto root = roots_.find(pointer);
    return root == roots_.end() ? 0 : root->second;
  }

  static bool isPart(const Instruction& i) {
    const PointsTo points_to = traitsOf(i.op).points_to;
    return points_to == PointsTo::Same || points_to == PointsTo::Part;
  }

  // Blocks may stand before those that dominate them.
  void findPointers() {
    for (size_t known = 0; known != roots_.size();) {
      known = roots_.size();
      for (const Block& block : module_.entry.blocks)
        for (const Instruction& i : block.instructions)
          if (isPart(i) && rootOf(i.operands[0]) != 0) roots_[i.result] = rootOf(i.operands[0]);
    }
  }

  // Drops the variables with which `i` does anything else than what tables are for.
  void look(const Instruction& i) {
    if (i.op == spv::Op::OpLifetimeStart || i.op == spv::Op::OpLoad || isPart(i)) return;
    if (i.op == spv::Op::OpStore && tables_.contains(i.operands[0])) {
      Id& constant = tables_[i.operands[0]];
      if (isConstant(i.operands[1]) && (constant == 0 || isSame(constant, i.operands[1])))
        constant = i.operands[1];
      else
        tables_.erase(i.operands[0]);
      return;
    }
    for (Id id : valueOperands(i)) tables_.erase(rootOf(id));
  }

  bool isSame(Id a, Id b) const {
    return a == b || module_.constant(a)->leaves == module_.constant(b)->leaves;
  }

  void mark(Variable& v) {
    const auto table = tables_.find(v.id);
    if (table == tables_.end()) return;
    v.initializer = table->second;
    module_.decorations[v.id].non_writable = true;
  }

  Module& module_;
  std::unordered_map<Id, Id> tables_;  // variable: its constant; 0: none is known yet
  std::unordered_map<Id, Id> roots_;   // pointer: variable
};

}  // namespace

void findConstantTables(Module& module) { Search(module).run(); }

bool isConstantTable(const Module& module, const Variable& variable) {
  const Constant* constant = module.constant(variable.initializer);
  return constant != nullptr && !constant->undef && holdsArray(variable.type->element) &&
         module.decorated(variable.id).non_writable;
}

llvm::Constant* constantTable(const Constant& constant, unsigned number, llvm::Module& to) {
  llvm::SmallVector<LeafLayout, 8> places;
  leafLayouts(constant.type, 0, /*explicit_layout=*/false, {}, 0, places);
  llvm::SmallString<256> bytes;
  bytes.resize(constant.type->naturalSize());
  for (size_t k = 0; k < places.size(); ++k) {
    const uint64_t leaf = k < constant.leaves.size() ? constant.leaves[k] : 0;
    for (uint64_t b = 0; b < std::min<uint64_t>(leafBytes(places[k].type), 8); ++b)
      bytes[places[k].offset + b] = char(leaf >> (8 * b));
  }
  auto* data = llvm::ConstantDataArray::getString(to.getContext(), bytes, /*AddNull=*/false);
  const llvm::Align alignment(rt::kWorkgroupMemoryAlignment);
  if (llvm::GlobalVariable* known = findConstantData(to, *data, alignment)) return known;
  auto* table = new llvm::GlobalVariable(to, data->getType(), /*isConstant=*/true,
                                         llvm::GlobalValue::PrivateLinkage, data,
                                         "table" + llvm::Twine(number));
  table->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  table->setAlignment(alignment);
  return table;
}

}  // namespace jit::spirv
