// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/tile_unit.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <array>

#include "jit/ir/intrinsics.h"
#include "jit/ir/symbols.h"

namespace jit {
namespace {

struct TileInstruction {
  llvm::StringLiteral intrinsic;
  llvm::StringLiteral function;  // of jit/ir/symbols.def
};
constexpr TileInstruction kInstructions[] = {
    {"llvm.x86.tilezero", "tessera.tile_zero"},
    {"llvm.x86.tileloadd64", "tessera.tile_load"},
    {"llvm.x86.tilestored64", "tessera.tile_store"},
    {"llvm.x86.tdpbssd", "tessera.tile_dot_ss"},
    {"llvm.x86.tdpbsud", "tessera.tile_dot_su"},
    {"llvm.x86.tdpbusd", "tessera.tile_dot_us"},
    {"llvm.x86.tdpbuud", "tessera.tile_dot_uu"},
    {"llvm.x86.tdpbf16ps", "tessera.tile_dot_bf16"},
    {"llvm.x86.tdpfp16ps", "tessera.tile_dot_f16"},
    {"llvm.x86.tdpbf8ps", "tessera.tile_dot_bb"},
    {"llvm.x86.tdpbhf8ps", "tessera.tile_dot_bh"},
    {"llvm.x86.tdphbf8ps", "tessera.tile_dot_hb"},
    {"llvm.x86.tdphf8ps", "tessera.tile_dot_hh"},
    {"llvm.x86.tmmultf32ps", "tessera.tile_dot_tf32"},
};

// The tile instructions by LLVM's numbers for them, of those that this LLVM has.
const llvm::DenseMap<unsigned, const TileInstruction*>& instructions() {
  static const auto table = [] {
    llvm::DenseMap<unsigned, const TileInstruction*> by_id;
    for (const TileInstruction& instruction : kInstructions)
      if (const llvm::Intrinsic::ID id = intrinsicNamed(instruction.intrinsic); id != 0)
        by_id[id] = &instruction;
    return by_id;
  }();
  return table;
}

// Null: of another function.
const TileInstruction* instructionOf(const llvm::Function& function) {
  return function.isIntrinsic() ? instructions().lookup(function.getIntrinsicID()) : nullptr;
}

void callRuntime(llvm::CallInst& call, llvm::StringRef name) {
  llvm::IRBuilder<> ir(&call);
  llvm::SmallVector<llvm::Value*> arguments;
  llvm::SmallVector<llvm::Type*> parameters;
  for (llvm::Value* argument : call.args()) {
    const bool is_tile = argument->getType()->isIntegerTy(8);
    arguments.push_back(is_tile ? ir.CreateZExt(argument, ir.getInt64Ty()) : argument);
    parameters.push_back(arguments.back()->getType());
  }
  // Tiles are memory that nobody else sees.
  ir.CreateCall(runtimeFunction(*call.getModule(), name, ir.getVoidTy(), parameters,
                                llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
                arguments)
      ->setDebugLoc(call.getDebugLoc());
  call.eraseFromParent();
}

bool hasTileInstructions(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) {
    return instructionOf(function) != nullptr && !function.use_empty();
  });
}

// What LDTILECFG reads. Source: Intel SDM volume 1, 18.3, "Tile configuration".
llvm::GlobalVariable* configurationIn(llvm::Module& module) {
  std::array<uint8_t, 64> bytes = {};
  bytes[0] = 1;  // palette
  for (size_t tile = 0; tile < 8; ++tile) {
    bytes[16 + 2 * tile] = 64;  // bytes of a row, 16 bits
    bytes[48 + tile] = 16;      // rows
  }
  auto* contents = llvm::ConstantDataArray::get(module.getContext(), bytes);
  auto* configuration =
      new llvm::GlobalVariable(module, contents->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::PrivateLinkage, contents, "tile.configuration");
  configuration->setAlignment(llvm::Align(64));
  configuration->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return configuration;
}

}  // namespace

bool emulateTiles(llvm::Module& module) {
  bool changed = false;
  for (llvm::Function& intrinsic : llvm::make_early_inc_range(module)) {
    const TileInstruction* instruction = instructionOf(intrinsic);
    if (instruction == nullptr) continue;
    for (llvm::User* user : llvm::make_early_inc_range(intrinsic.users()))
      callRuntime(*llvm::cast<llvm::CallInst>(user), instruction->function);
    intrinsic.eraseFromParent();
    changed = true;
  }
  return changed;
}

bool configureTiles(llvm::Function& kernel) {
  llvm::Module& module = *kernel.getParent();
  if (!hasTileInstructions(module)) return false;
  llvm::BasicBlock& entry = kernel.getEntryBlock();
  llvm::IRBuilder<> ir(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  ir.SetCurrentDebugLocation({});
  ir.CreateIntrinsic(ir.getVoidTy(), llvm::Intrinsic::x86_ldtilecfg, {configurationIn(module)});
  for (llvm::BasicBlock& block : kernel) {
    auto* exit = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (exit == nullptr) continue;
    ir.SetInsertPoint(exit);
    ir.SetCurrentDebugLocation({});
    ir.CreateIntrinsic(ir.getVoidTy(), llvm::Intrinsic::x86_tilerelease, {});
  }
  return true;
}

}  // namespace jit
