// SPDX-License-Identifier: Apache-2.0

// What checks of shaders (TESSERA_CHECK) are made of: where the current instruction stands, and
// what the runtime is told of its lanes. Internal to jit/emit.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include "jit/emit/values.h"
#include "runtime/kernel_library/check_access.h"

namespace llvm {
class BasicBlock;
class Constant;
}  // namespace llvm

namespace jit::spirv {

class Emission;

// Where the current instruction stands, as data of the kernel: an rt::CheckSite's description.
// `variable`: that it is about; 0: none. `called`: what the instruction is called, if not as its
// opcode is.
llvm::Constant* checkSite(Emission& e, Id variable, llvm::StringRef called = {});
// Where another one stands.
llvm::Constant* checkSite(Emission& e, const Instruction& instruction, Id variable,
                          llvm::StringRef called = {});

// Memory that a check may use while an instruction is emitted; the next one finds it again.
llvm::Value* checkSlot(Emission& e, llvm::Type* type, unsigned number);

// An access of lanes, as an rt::CheckedAccess says it: scalars or vectors of i64, and i1 or vectors
// of it.
struct LaneCheck {
  llvm::Value *base, *offset, *size;
  llvm::Value* within;  // null: all
  uint64_t bytes, alignment;
  rt::AccessKind kind;
  rt::AccessedMemory memory;
};

// An rt::CheckedAccess in memory, of the current mask's lanes.
llvm::Value* writeLaneCheck(Emission& e, const LaneCheck& check);
// The same without memory: who the lanes are, and which of them are live. `within` as in LaneCheck.
llvm::Value* writeLiveLanes(Emission& e, llvm::Value* within = nullptr);

// Calls a function of the runtime with the dispatch, the site and an rt::CheckedAccess.
void callCheck(Emission& e, const char* function, const Pointer& p, const LaneCheck& check);

// `good`: i1. What `body` emits runs where it does not hold, which is rare, and what `if_good`
// emits where it does. Returns the block before them; the position is behind all.
llvm::BasicBlock* unlessGood(Emission& e, llvm::Value* good, llvm::function_ref<void()> body,
                             llvm::function_ref<void()> if_good = {});

// That all live invocations have `inside`, i1 or vector of it.
llvm::Value* allLive(Emission& e, llvm::Value* inside);

// The number of the subgroup that the stream is, i32; rt::kNoSubgroup where it is the workgroup.
llvm::Value* checkedSubgroup(Emission& e);

}  // namespace jit::spirv
