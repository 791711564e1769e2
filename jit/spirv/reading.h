// SPDX-License-Identifier: Apache-2.0

// What the steps of reading a module share, and the steps themselves in the order they run.
#pragma once

#include <llvm/Support/Error.h>

#include <array>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "jit/spirv/annotations.h"
#include "jit/spirv/binary.h"
#include "jit/spirv/module.h"

namespace jit::spirv {

// One reading of one module. Declarations that need what the driver lacks do not fail at once:
// they are `refused` with the reason, and fail where the entry point's code reaches them, since
// modules declare more than each entry point uses.
struct Reading {
  Reading(const KernelRequest& request, Binary binary, Module& module)
      : request(request), binary(std::move(binary)), module(module) {}

  const KernelRequest& request;
  const Binary binary;
  Module& module;
  Annotations annotations;
  Id entry = 0;                                 // the function of the request's entry point
  std::unordered_map<Id, std::string> refused;  // declaration -> reason
  uint64_t constant_leaves = 0;                 // of all constants, see constants.h

  // The type declared as `id`. Unsupported when it was refused, Malformed when `id` is no type.
  llvm::Expected<const Type*> type(Id id) const;
  // The constant declared as `id`, likewise. Valid until the next constant is added.
  llvm::Expected<const Constant*> constant(Id id) const;
  // The value of a scalar integer constant, sign-extended when its type is signed.
  llvm::Expected<uint64_t> integer(Id id) const;
  // The same, between `least` and `most`; `what` names it in the message.
  llvm::Expected<uint32_t> integerBetween(Id id, uint32_t least, uint32_t most,
                                          const char* what) const;
  // What to say of an id that is not what it should be ("a type", "a constant").
  llvm::Error notA(const char* what, Id id) const;
  // "OpTypeImage %7 'albedo'".
  std::string describe(const RawInstruction& instruction) const;
};

// Capabilities, extensions, memory model, names, strings, imports. Unsupported where the module
// declares what the driver lacks.
llvm::Error readPreamble(Reading& reading);

// The OpFunction that the request's entry point names.
llvm::Expected<Id> findEntryPoint(const Reading& reading);

// Denormals and rounding of the entry point, which constants depend on.
llvm::Error readFloatModes(Reading& reading);

// Invocations of the entry point's workgroup in x, y and z, none of them 0. Malformed where the
// constants that say so are not declared yet.
using WorkgroupSize = std::array<uint32_t, 3>;
llvm::Expected<WorkgroupSize> workgroupSize(const Reading& reading);
// All of them; UINT32_MAX for more.
uint32_t invocationsOf(const WorkgroupSize& size);

// A variable of type `type` that `raw` declares, global or of a function. An OpUntypedVariableKHR's
// gets the type of a pointer to its data type.
llvm::Expected<Variable> readVariable(Reading& reading, const RawInstruction& raw);

// Types, constants and global variables.
llvm::Error readDeclarations(Reading& reading);

// The other execution modes of the entry point. Needs the constants.
llvm::Error readExecutionModes(Reading& reading);

// The functions that `entry` calls, itself included, as they stand in the module. Fills `used`
// with the ids of global declarations that their code names.
llvm::Expected<std::unordered_map<Id, Function>> readFunctions(Reading& reading, Id entry,
                                                               std::unordered_set<Id>& used);

// The entry function with every call replaced by the callee's code.
llvm::Expected<Function> inlineCalls(Reading& reading,
                                     const std::unordered_map<Id, Function>& functions, Id entry);

// Removes blocks of the entry function that cannot be reached, and what phis say of them.
void dropUnreachableBlocks(Module& module);

// Gives the entry function's loops a block before the header, with a plain branch to it and nothing
// else than phis, where they are entered in any other way: the header is the target of a choice or
// of several blocks, a merge block, or another loop's continue target.
void writePreheaders(Module& module);

}  // namespace jit::spirv
