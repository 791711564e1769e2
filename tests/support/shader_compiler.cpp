// SPDX-License-Identifier: Apache-2.0

#include "tests/support/shader_compiler.h"

#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>

#include <fstream>
#include <iterator>
#include <list>
#include <memory>
#include <optional>
#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>

namespace host {
namespace {

constexpr spv_target_env kEnvironment = SPV_ENV_VULKAN_1_3;

using ShaderPointer = std::unique_ptr<glslang_shader_t, decltype(&glslang_shader_delete)>;
using ProgramPointer = std::unique_ptr<glslang_program_t, decltype(&glslang_program_delete)>;

// The files that a shader includes, read as glslang asks for them.
class Includes {
 public:
  explicit Includes(const std::filesystem::path& folder) : folder_(folder) {}

  static glsl_include_result_t* read(void* context, const char* name, const char*, size_t) {
    auto& self = *static_cast<Includes*>(context);
    File& file = self.files_.emplace_back(File{(self.folder_ / name).string(), {}, {}});
    std::ifstream stream(file.path, std::ios::binary);
    if (!stream) return nullptr;  // glslang names it
    file.text.assign(std::istreambuf_iterator<char>(stream), {});
    file.result = {file.path.c_str(), file.text.data(), file.text.size()};
    return &file.result;
  }
  // They stay until the shader is compiled.
  static int release(void*, glsl_include_result_t*) { return 0; }

 private:
  struct File {
    std::string path, text;
    glsl_include_result_t result;
  };

  const std::filesystem::path folder_;
  std::list<File> files_;
};

}  // namespace

std::vector<uint32_t> compileGlsl(const std::string& source, const std::string& file_name,
                                  const GlslOptions& options) {
  static const bool kInitialized = glslang_initialize_process() != 0;
  if (!kInitialized) throw ShaderError("glslang does not start");

  int messages = GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT;
  const bool debug = options.debug_info || options.debug_lines;
  if (debug) messages |= GLSLANG_MSG_DEBUG_INFO_BIT;
  glslang_input_t input{};
  input.language = GLSLANG_SOURCE_GLSL;
  input.stage = GLSLANG_STAGE_COMPUTE;
  input.client = GLSLANG_CLIENT_VULKAN;
  input.client_version = GLSLANG_TARGET_VULKAN_1_3;
  input.target_language = GLSLANG_TARGET_SPV;
  input.target_language_version = GLSLANG_TARGET_SPV_1_6;
  input.code = source.c_str();
  input.default_version = 100;
  input.default_profile = GLSLANG_NO_PROFILE;
  input.messages = static_cast<glslang_messages_t>(messages);
  input.resource = glslang_default_resource();
  std::optional<Includes> includes;
  if (options.include_folder) {
    input.callbacks = {.include_system = nullptr,
                       .include_local = Includes::read,
                       .free_include_result = Includes::release};
    input.callbacks_ctx = &includes.emplace(*options.include_folder);
  }

  std::string preamble;
  for (const auto& [name, value] : options.defines) {
    preamble += "#define " + name + " " + value + "\n";
  }
  const ShaderPointer shader(glslang_shader_create(&input), glslang_shader_delete);
  glslang_shader_set_preamble(shader.get(), preamble.c_str());
  if (!glslang_shader_preprocess(shader.get(), &input) ||
      !glslang_shader_parse(shader.get(), &input)) {
    throw ShaderError(file_name + ":\n" + glslang_shader_get_info_log(shader.get()));
  }
  const ProgramPointer program(glslang_program_create(), glslang_program_delete);
  glslang_program_add_shader(program.get(), shader.get());
  if (!glslang_program_link(program.get(), messages)) {
    throw ShaderError(file_name + ":\n" + glslang_program_get_info_log(program.get()));
  }
  if (debug) {
    glslang_program_set_source_file(program.get(), GLSLANG_STAGE_COMPUTE, file_name.c_str());
    glslang_program_add_source_text(program.get(), GLSLANG_STAGE_COMPUTE, source.data(),
                                    source.size());
  }
  glslang_spv_options_t generate{};
  generate.generate_debug_info = debug;
  generate.emit_nonsemantic_shader_debug_info = options.debug_info;
  generate.emit_nonsemantic_shader_debug_source = options.debug_info;
  generate.disable_optimizer = true;
  glslang_program_SPIRV_generate_with_options(program.get(), GLSLANG_STAGE_COMPUTE, &generate);
  const size_t words = glslang_program_SPIRV_get_size(program.get());
  const unsigned* begin = glslang_program_SPIRV_get_ptr(program.get());
  std::vector<uint32_t> spirv(begin, begin + words);
  return options.optimize ? optimizeSpirv(spirv) : spirv;
}

std::vector<uint32_t> assembleSpirv(const std::string& source, const std::string& file_name) {
  spvtools::SpirvTools tools(kEnvironment);
  std::string messages;
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char*, const spv_position_t& position, const char* message) {
        messages += file_name + ":" + std::to_string(position.line + 1) + ": " + message + "\n";
      });
  std::vector<uint32_t> spirv;
  if (!tools.Assemble(source, &spirv, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS)) {
    throw ShaderError(messages);
  }
  return spirv;
}

std::string validateSpirv(std::span<const uint32_t> spirv) {
  spvtools::SpirvTools tools(kEnvironment);
  std::string messages;
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char*, const spv_position_t& position, const char* message) {
        messages += "word " + std::to_string(position.index) + ": " + message + "\n";
      });
  spvtools::ValidatorOptions options;
  // The kernels' devices have these features on.
  options.SetScalarBlockLayout(true);
  options.SetWorkgroupScalarBlockLayout(true);
  options.SetUniformBufferStandardLayout(true);
  options.SetAllowLocalSizeId(true);
  options.SetAllowVulkan32BitBitwise(true);
  if (tools.Validate(spirv.data(), spirv.size(), options)) return "";
  return messages.empty() ? "invalid module" : messages;
}

std::vector<uint32_t> optimizeSpirv(std::span<const uint32_t> spirv) {
  spvtools::Optimizer optimizer(kEnvironment);
  optimizer.RegisterPerformancePasses();
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  std::vector<uint32_t> result;
  if (!optimizer.Run(spirv.data(), spirv.size(), &result, options)) {
    throw ShaderError("spirv-opt's passes refuse the module");
  }
  return result;
}

}  // namespace host
