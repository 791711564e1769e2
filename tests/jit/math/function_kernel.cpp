// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/math/function_kernel.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "tests/jit/spirv/assembled_module.h"

namespace jit::test {
namespace {

constexpr uint32_t kBindings = 4;  // x, y, z, result
constexpr uint32_t kWorkgroup = 256;

Compiler& compilerFor(rt::Isa isa) {
  static std::map<rt::Isa, std::unique_ptr<Compiler>> compilers;
  auto& compiler = compilers[isa];
  if (!compiler) {
    auto created = Compiler::create({.isa = isa});
    compiler = std::move(std::get<std::unique_ptr<Compiler>>(created));
  }
  return *compiler;
}

uint32_t bytesOf(const std::string& type) {
  std::istringstream words(type);
  std::string kind;
  uint32_t bits = 0;
  words >> kind >> bits;
  return bits / 8;
}

std::string moduleText(const FunctionShader& shader) {
  const uint32_t from = bytesOf(shader.from), to = bytesOf(shader.to);
  std::ostringstream text;
  text << R"(
    OpCapability Shader
    OpCapability Int8
    OpCapability Int16
    OpCapability Int64
    OpCapability Float16
    OpCapability Float64
    OpCapability StorageBuffer16BitAccess
    OpCapability StorageBuffer8BitAccess
  )" << shader.capabilities
       << R"(
    OpExtension "SPV_KHR_16bit_storage"
    OpExtension "SPV_KHR_8bit_storage"
    OpExtension "SPV_KHR_storage_buffer_storage_class"
  )" << shader.extensions
       << R"(
    %glsl = OpExtInstImport "GLSL.std.450"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %id
    OpExecutionMode %main LocalSize )"
       << kWorkgroup << " 1 1\n"
       << shader.execution_modes << R"(
    OpDecorate %id BuiltIn )"
       << (shader.uniform ? "WorkgroupId" : "GlobalInvocationId") << R"(
    OpMemberDecorate %from_block 0 Offset 0
    OpMemberDecorate %to_block 0 Offset 0
    OpDecorate %from_block Block
    OpDecorate %to_block Block
    OpDecorate %from_array ArrayStride )"
       << from << "\n    OpDecorate %to_array ArrayStride " << to << "\n"
       << shader.annotations;
  for (uint32_t b = 0; b < kBindings; ++b)
    text << "OpDecorate %buffer" << b << " DescriptorSet 0\nOpDecorate %buffer" << b << " Binding "
         << b << "\n";
  text << R"(
    %void = OpTypeVoid
    %main_type = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %uint3 = OpTypeVector %uint 3
    %input_uint3 = OpTypePointer Input %uint3
    %id = OpVariable %input_uint3 Input
    %zero = OpConstant %uint 0
  )";
  const bool from_is_uint = shader.from == "int 32 0", to_is_uint = shader.to == "int 32 0";
  const std::string from_type = from_is_uint ? "%uint" : "%from";
  if (!from_is_uint)
    text << "%from = OpType" << (shader.from[0] == 'f' ? "Float " : "Int ")
         << shader.from.substr(shader.from.find(' ')) << "\n";
  std::string to_type = to_is_uint ? "%uint" : shader.to == shader.from ? from_type : "%to";
  if (to_type == "%to")
    text << "%to = OpType" << (shader.to[0] == 'f' ? "Float " : "Int ")
         << shader.to.substr(shader.to.find(' ')) << "\n";
  text << "%from_array = OpTypeRuntimeArray " << from_type << "\n%to_array = OpTypeRuntimeArray "
       << to_type << R"(
    %from_block = OpTypeStruct %from_array
    %to_block = OpTypeStruct %to_array
    %from_blocks = OpTypePointer StorageBuffer %from_block
    %to_blocks = OpTypePointer StorageBuffer %to_block
    %from_pointer = OpTypePointer StorageBuffer )"
       << from_type << "\n%to_pointer = OpTypePointer StorageBuffer " << to_type << R"(
    %buffer0 = OpVariable %from_blocks StorageBuffer
    %buffer1 = OpVariable %from_blocks StorageBuffer
    %buffer2 = OpVariable %from_blocks StorageBuffer
    %buffer3 = OpVariable %to_blocks StorageBuffer
  )" << shader.declarations
       << R"(
    %main = OpFunction %void None %main_type
    %entry = OpLabel
    %id3 = OpLoad %uint3 %id
    %i = OpCompositeExtract %uint %id3 0
  )";
  const char* names[] = {"x", "y", "z"};
  for (uint32_t o = 0; o < shader.operands; ++o)
    text << "%p" << o << " = OpAccessChain %from_pointer %buffer" << o << " %zero %i\n%" << names[o]
         << " = OpLoad " << from_type << " %p" << o << "\n";
  text << shader.code << R"(
    %out = OpAccessChain %to_pointer %buffer3 %zero %i
    OpStore %out %result
    OpReturn
    OpFunctionEnd
  )";
  std::string result = text.str();
  // %to and %from are names that a shader may use whatever they are called here.
  auto rename = [&](const std::string& name, const std::string& by) {
    if (name == by) return;
    for (size_t at = 0; (at = result.find(name + " ", at)) != std::string::npos;)
      result.replace(at, name.size(), by);
  };
  rename("%to", to_type);
  rename("%from", from_type);
  return result;
}

}  // namespace

std::vector<rt::Isa> machineIsas() {
  std::vector<rt::Isa> result;
  for (rt::Isa isa : {rt::Isa::Reference, rt::Isa::Avx2, rt::Isa::Avx512})
    if (isa <= rt::hostIsa()) result.push_back(isa);
  return result;
}

FunctionKernel::FunctionKernel(const FunctionShader& shader, rt::Isa isa, uint32_t subgroup_size)
    : operands_(shader.operands),
      operand_bytes_(bytesOf(shader.from)),
      result_bytes_(bytesOf(shader.to)),
      elements_(shader.uniform ? 1 : kWorkgroup) {
  std::vector<BindingLayout> bindings;
  for (uint32_t b = 0; b < kBindings; ++b)
    bindings.push_back({0, b, DescriptorKind::StorageBuffer, 1,
                        b * static_cast<uint32_t>(sizeof(rt::BufferDescriptor)), -1});
  KernelRequest request;
  const std::vector<uint32_t> words = spirv::assemble(moduleText(shader));
  request.spirv = words;
  request.entry_point = "main";
  request.bindings = bindings;
  request.subgroup_size = subgroup_size;
  auto compiled = compilerFor(isa).compile(request);
  if (auto* error = std::get_if<CompileError>(&compiled))
    ADD_FAILURE() << rt::isaName(isa) << ": " << error->message << "\n" << shader.code;
  else
    kernel_ = std::get<std::shared_ptr<const Kernel>>(compiled);
}

void FunctionKernel::run(uint32_t count, std::vector<const void*> operands, void* result) const {
  if (!kernel_) return;
  rt::BufferDescriptor descriptors[kBindings] = {};
  for (uint32_t b = 0; b < operands_; ++b)
    descriptors[b] = {static_cast<std::byte*>(const_cast<void*>(operands[b])),
                      uint64_t{count} * operand_bytes_};
  descriptors[kBindings - 1] = {static_cast<std::byte*>(result), uint64_t{count} * result_bytes_};
  rt::DispatchArgs args{};
  args.sets[0] = reinterpret_cast<const std::byte*>(descriptors);
  args.workgroup_count[0] = (count + elements_ - 1) / elements_;
  args.workgroup_count[1] = args.workgroup_count[2] = 1;
  alignas(rt::kWorkgroupMemoryAlignment) std::byte shared[rt::kWorkgroupMemoryAlignment];
  std::vector<std::byte> scratch(kernel_->scratch_bytes + rt::kWorkgroupMemoryAlignment);
  void* aligned = scratch.data();
  size_t space = scratch.size();
  std::align(rt::kWorkgroupMemoryAlignment, kernel_->scratch_bytes, aligned, space);
  const rt::WorkgroupMemory memory{shared, static_cast<std::byte*>(aligned)};
  for (uint32_t x = 0; x < args.workgroup_count[0]; ++x) kernel_->entry(&args, &memory, x, 0, 0, 1);
}

}  // namespace jit::test
