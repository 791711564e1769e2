// SPDX-License-Identifier: Apache-2.0

// Modules for tests, written as SPIR-V assembly.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jit/compiler.h"
#include "jit/spirv/module.h"
#include "jit/spirv/structure.h"

namespace jit::spirv {

// Begins a text that is assembled as SPIR-V 1.6; others are 1.3, where the interface of an entry
// point does not list variables for buffers and shared memory.
inline constexpr std::string_view kVersion16 = "; 1.6\n";

// The words of `text`; a test failure with the assembler's message, and none, when it is wrong.
std::vector<uint32_t> assemble(std::string_view text);

// What readModule made of a module: the one or the other.
struct ReadResult {
  std::unique_ptr<Module> module;
  std::optional<CompileError> error;
};
ReadResult readWords(const std::vector<uint32_t>& words, const KernelRequest& request = {});
ReadResult read(std::string_view text, const KernelRequest& request = {});

// The module; a test failure when it was refused.
std::unique_ptr<Module> readGood(std::string_view text, const KernelRequest& request = {});
// The message; a test failure when the module was read or refused with another kind of error.
std::string readBad(std::string_view text, CompileError::Kind kind,
                    const KernelRequest& request = {});

// A compute shader "main" of one invocation. `declarations` may use %void, %bool, %int, %uint,
// %float, the type %main_type and the constants %u0 to %u4; `code` is the text after OpFunction.
std::string shader(std::string_view declarations, std::string_view code,
                   std::string_view annotations = "", std::string_view capabilities = "");

// The id that OpName gives `name` in the module; 0 when there is none. Names of the assembly text
// are not kept, so tests name what they look for.
Id named(const Module& module, std::string_view name);

// How many instructions of the entry point's code have this opcode; terminators are not among them.
unsigned numberOf(const Module& module, spv::Op op);

}  // namespace jit::spirv
