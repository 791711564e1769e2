// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/spirv/assembled_module.h"

#include <llvm/ADT/STLExtras.h>
#include <spirv-tools/libspirv.hpp>

#include "jit/base/error.h"

namespace jit::spirv {

std::vector<uint32_t> assemble(std::string_view text) {
  spvtools::SpirvTools tools(text.starts_with(kVersion16) ? SPV_ENV_UNIVERSAL_1_6
                                                          : SPV_ENV_UNIVERSAL_1_3);
  std::string messages;
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char*, const spv_position_t& position, const char* message) {
        messages += std::to_string(position.line + 1) + ": " + message + "\n";
      });
  std::vector<uint32_t> words;
  if (!tools.Assemble(text.data(), text.size(), &words)) {
    ADD_FAILURE() << messages << text;
    return {};
  }
  return words;
}

ReadResult readWords(const std::vector<uint32_t>& words, const KernelRequest& request) {
  KernelRequest complete = request;
  complete.spirv = words;
  if (complete.entry_point.empty()) complete.entry_point = "main";
  ReadResult result;
  llvm::Expected<std::unique_ptr<Module>> module = readModule(complete);
  if (module) {
    result.module = std::move(*module);
  } else {
    llvm::handleAllErrors(module.takeError(), [&](const Failure& failure) {
      result.error = CompileError{failure.kind, failure.message};
    });
  }
  return result;
}

ReadResult read(std::string_view text, const KernelRequest& request) {
  return readWords(assemble(text), request);
}

std::unique_ptr<Module> readGood(std::string_view text, const KernelRequest& request) {
  ReadResult result = read(text, request);
  if (result.error) ADD_FAILURE() << result.error->message << "\n" << text;
  return std::move(result.module);
}

std::string readBad(std::string_view text, CompileError::Kind kind, const KernelRequest& request) {
  ReadResult result = read(text, request);
  if (!result.error) {
    ADD_FAILURE() << "the module was read\n" << text;
    return {};
  }
  EXPECT_EQ(static_cast<int>(result.error->kind), static_cast<int>(kind)) << result.error->message;
  return result.error->message;
}

std::string shader(std::string_view declarations, std::string_view code,
                   std::string_view annotations, std::string_view capabilities) {
  std::string text = "OpCapability Shader\n";
  text += capabilities;
  text += R"(
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
  )";
  text += annotations;
  text += R"(
    %void = OpTypeVoid
    %main_type = OpTypeFunction %void
    %bool = OpTypeBool
    %int = OpTypeInt 32 1
    %uint = OpTypeInt 32 0
    %float = OpTypeFloat 32
    %u0 = OpConstant %uint 0
    %u1 = OpConstant %uint 1
    %u2 = OpConstant %uint 2
    %u3 = OpConstant %uint 3
    %u4 = OpConstant %uint 4
  )";
  text += declarations;
  text += "\n%main = OpFunction %void None %main_type\n";
  text += code;
  return text;
}

Id named(const Module& module, std::string_view name) {
  Id found = 0;
  for (const auto& [id, text] : module.names)
    if (text == name && (found == 0 || id < found)) found = id;
  return found;
}

unsigned numberOf(const Module& module, spv::Op op) {
  unsigned found = 0;
  for (const Block& block : module.entry.blocks)
    found += static_cast<unsigned>(
        llvm::count_if(block.instructions, [op](const Instruction& i) { return i.op == op; }));
  return found;
}

}  // namespace jit::spirv
