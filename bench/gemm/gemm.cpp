// SPDX-License-Identifier: Apache-2.0

#include "bench/gemm/gemm.h"

#include <algorithm>
#include <cstring>

#include "bench/gemm/double_module.h"
#include "gemm_source.h"
#include "tests/support/shader_compiler.h"

namespace bench {
namespace {

// What a workgroup computes of C, and who does.
struct FormInfo {
  const char* name;
  const char* source;
  uint32_t tiles;          // of C in either direction, or
  uint32_t rows, columns;  // of C
  uint32_t subgroups;      // 0: the workgroup holds its matrices as a whole
  uint32_t invocations;    // of such a workgroup
  bool padded;             // needs sizes that are multiples of the block and of the tile's depth
};

constexpr FormInfo kForms[] = {
    {"1 tile", kGemmOneTile, 1, 0, 0, 1, 0, true},
    {"4x4 tiles", kGemmBlocked, 4, 0, 0, 1, 0, true},
    {"staged", kGemmStaged, 0, 64, 64, 4, 0, false},
    {"wg 128x256", kGemmWorkgroup, 0, 128, 256, 0, 256, false},
    {"wg 128x128", kGemmWorkgroup, 0, 128, 128, 0, 128, false},
};

const FormInfo& formInfo(GemmForm form) { return kForms[static_cast<size_t>(form)]; }

// With the rows and columns that it has with such tiles.
FormInfo formOf(GemmForm form, GemmTile tile) {
  FormInfo info = formInfo(form);
  if (info.tiles != 0) info.rows = info.columns = info.tiles * tile.side;
  return info;
}

uint32_t roundUp(uint32_t value, uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Real clients' shaders are written for 32; elsewhere the device's own.
uint32_t subgroupSize(const host::Device& device) {
  const host::PhysicalDevice& physical = device.physical();
  const bool controlled = device.features().find("subgroupSizeControl").value_or(false);
  const bool has32 = physical.min_subgroup_size <= 32 && physical.max_subgroup_size >= 32;
  return controlled && has32 ? 32 : physical.subgroup.subgroupSize;
}

struct Components {
  VkComponentTypeKHR input, output;
};

Components componentsOf(GemmType type) {
  constexpr Components kComponents[] = {
#define GEMM_TYPE(id, name, glsl_input, glsl_output, input_bytes, output_bytes, tile_k, stage_k, \
                  input, output, peak)                                                           \
  {VK_COMPONENT_TYPE_##input, VK_COMPONENT_TYPE_##output},
#include "bench/gemm/gemm_types.def"
#undef GEMM_TYPE
  };
  return kComponents[static_cast<size_t>(type)];
}

constexpr const char* kWorkgroupFeatures[] = {"cooperativeMatrixWorkgroupScope",
                                              "cooperativeMatrixFlexibleDimensions",
                                              "cooperativeMatrixTensorAddressing"};

std::vector<const char*> neededFeatures(GemmType type) {
  switch (type) {
    case GemmType::F32:
      return {"cooperativeMatrix", "vulkanMemoryModel"};
    case GemmType::F16:
      return {"cooperativeMatrix", "vulkanMemoryModel", "shaderFloat16",
              "storageBuffer16BitAccess"};
    case GemmType::Bf16:
      return {"cooperativeMatrix", "vulkanMemoryModel", "shaderBFloat16Type",
              "shaderBFloat16CooperativeMatrix", "storageBuffer16BitAccess"};
    case GemmType::F64:
      return {"cooperativeMatrix", "vulkanMemoryModel", "shaderFloat64"};
    case GemmType::E4m3:
      return {"cooperativeMatrix", "vulkanMemoryModel", "shaderFloat8",
              "shaderFloat8CooperativeMatrix", "storageBuffer8BitAccess"};
    case GemmType::S8:
    case GemmType::U8:
      break;
  }
  return {"cooperativeMatrix", "vulkanMemoryModel", "shaderInt8", "storageBuffer8BitAccess"};
}

// GLSL's extension for the type of the elements; empty when the interface's own suffice.
std::string glslExtension(GemmType type) {
  if (type == GemmType::Bf16) return "USES_BFLOAT16";
  if (type == GemmType::E4m3) return "USES_FLOAT_E4M3";
  return "";
}

uint32_t stageDepth(GemmType type, uint32_t wanted) {
  return wanted != 0 ? wanted : gemmTypeInfo(type).stage_k;
}

// Whether the device lists such matrices in workgroups of the form.
bool hasFlexibleMatrices(const host::Device& device, GemmType type, const FormInfo& form) {
  const auto& rows = device.physical().flexible_matrices;
  const Components components = componentsOf(type);
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
    return row.scope == VK_SCOPE_WORKGROUP_KHR && row.workgroupInvocations == form.invocations &&
           form.rows % row.MGranularity == 0 && form.columns % row.NGranularity == 0 &&
           gemmTypeInfo(type).stage_k % row.KGranularity == 0 && row.AType == components.input &&
           row.BType == components.input && row.CType == components.output &&
           row.ResultType == components.output && row.saturatingAccumulation == VK_FALSE;
  });
}

}  // namespace

const char* gemmFormName(GemmForm form) { return formInfo(form).name; }

std::string GemmOptions::describe() const {
  std::string text = gemmFormName(form);
  if (stage_k != 0) text += ", K " + std::to_string(stage_k);
  if (extra_stride != 0) text += ", stride +" + std::to_string(extra_stride);
  if (reversed_bindings) text += ", C B A";
  return text;
}

GemmTile usualTile(GemmType type) { return {16, gemmTypeInfo(type).tile_k}; }

GemmTile findTile(const host::Device& device, GemmType type) {
  const GemmTile usual = usualTile(type);
  const Components components = componentsOf(type);
  GemmTile found;
  for (const auto& row : device.physical().matrices) {
    if (row.scope != VK_SCOPE_SUBGROUP_KHR || row.saturatingAccumulation || row.MSize != row.NSize)
      continue;
    if (row.AType != components.input || row.BType != components.input ||
        row.CType != components.output || row.ResultType != components.output)
      continue;
    const GemmTile tile{row.MSize, row.KSize};
    if (tile.side == usual.side && tile.depth == usual.depth) return usual;
    // The staged form divides 32 by the side and its depth, of which the least is 16, by the
    // tile's.
    if (found.side == 0 && 32 % tile.side == 0 && 16 % tile.depth == 0) found = tile;
  }
  return found;
}

std::vector<uint32_t> compileGemm(GemmType type, const GemmOptions& options, GemmTile tile) {
  const GemmTypeInfo& info = gemmTypeInfo(type);
  const FormInfo form = formOf(options.form, tile);
  host::GlslOptions glsl;
  glsl.defines = {{"IN_T", info.glsl_input},
                  {"OUT_T", info.glsl_output},
                  {"TILE_M", std::to_string(tile.side)},
                  {"TILE_N", std::to_string(tile.side)},
                  {"TILE_K", std::to_string(tile.depth)},
                  {"STAGE_K", std::to_string(stageDepth(type, options.stage_k))},
                  {"BLOCK_M", std::to_string(form.rows)},
                  {"BLOCK_N", std::to_string(form.columns)},
                  {"A_BINDING", options.reversed_bindings ? "2" : "0"},
                  {"B_BINDING", "1"},
                  {"C_BINDING", options.reversed_bindings ? "0" : "2"}};
  if (!glslExtension(type).empty()) glsl.defines.emplace_back(glslExtension(type), "");
  if (form.subgroups == 0) glsl.defines.emplace_back("USES_WORKGROUP_SCOPE", "");
  const std::vector<uint32_t> spirv =
      host::compileGlsl(std::string(kGemmInterface) + form.source, form.name, glsl);
  return type == GemmType::F64 ? withDoubles(spirv) : spirv;
}

std::string findMissing(const host::Device& device, GemmType type, GemmForm form) {
  std::vector<const char*> features = neededFeatures(type);
  const FormInfo info = formInfo(form);
  const bool workgroup = info.subgroups == 0;
  if (workgroup)
    features.insert(features.end(), std::begin(kWorkgroupFeatures), std::end(kWorkgroupFeatures));
  for (const char* feature : features) {
    if (!device.features().find(feature).value_or(false)) return std::string("no ") + feature;
  }
  const std::string name = gemmTypeInfo(type).name;
  if (workgroup)
    return hasFlexibleMatrices(device, type, info)
               ? ""
               : "no matrices of " + name + " in workgroups of " + std::to_string(info.invocations);
  return findTile(device, type).side != 0 ? "" : "no square matrices of " + name;
}

std::unique_ptr<host::Device> makeGemmDevice(host::Instance& instance,
                                             const host::PhysicalDevice& physical) {
  host::DeviceFeatures features(instance.functions(), physical.handle, physical.api_version,
                                physical.extensions);
  std::vector<std::string> needed = {"subgroupSizeControl", "computeFullSubgroups", "maintenance4"};
  for (GemmType type : kGemmTypes) {
    for (const char* feature : neededFeatures(type)) needed.push_back(feature);
  }
  needed.insert(needed.end(), std::begin(kWorkgroupFeatures), std::end(kWorkgroupFeatures));
  features.keepOnly(needed);
  return std::make_unique<host::Device>(instance, physical, features);
}

Gemm::Gemm(const host::Device& device, const GemmData& data, const GemmOptions& options)
    : Gemm(device, data, options, compileGemm(data.type(), options, findTile(device, data.type())),
           findTile(device, data.type())) {}

Gemm::Gemm(const host::Device& device, const GemmData& data, const GemmOptions& options,
           const std::vector<uint32_t>& spirv, GemmTile tile)
    : device_(device), data_(data) {
  const FormInfo form = formOf(options.form, tile);
  const GemmTypeInfo& type = data.info();
  const auto [m, n, k] = data.size();
  const uint32_t rows = form.padded ? roundUp(m, form.rows) : m;
  const uint32_t columns = form.padded ? roundUp(n, form.columns) : n;
  const uint32_t depth = form.padded ? roundUp(k, tile.depth) : k;
  const uint32_t a_stride = depth + options.extra_stride;
  const uint32_t b_stride = columns + options.extra_stride;
  c_stride_ = columns + options.extra_stride;

  const uint32_t subgroup = subgroupSize(device);
  const uint32_t a_binding = options.reversed_bindings ? 2 : 0;
  const uint32_t c_binding = options.reversed_bindings ? 0 : 2;
  host::PipelineDescription description;
  description.spirv = spirv;
  for (uint32_t binding : {0u, 1u, 2u}) description.bindings.push_back({0, binding});
  const uint32_t push[] = {rows, columns, depth, a_stride, b_stride, c_stride_};
  description.push_bytes = sizeof(push);
  description.specializations = {
      {0, form.subgroups == 0 ? form.invocations : subgroup * form.subgroups, 4}};
  if (device.features().find("subgroupSizeControl").value_or(false)) {
    description.subgroup_size = subgroup;
    description.full_subgroups = device.features().find("computeFullSubgroups").value_or(false);
  }
  pipeline_ = std::make_unique<host::ComputePipeline>(device, description);

  auto bytes = [](uint32_t count, uint32_t stride, uint32_t element) {
    return static_cast<VkDeviceSize>(count) * stride * element;
  };
  a_ = std::make_unique<host::Buffer>(device, bytes(rows, a_stride, type.input_bytes));
  b_ = std::make_unique<host::Buffer>(device, bytes(depth, b_stride, type.input_bytes));
  c_ = std::make_unique<host::Buffer>(device, bytes(rows, c_stride_, type.output_bytes));
  fill(data.a(), m, k, a_stride, *a_);
  fill(data.b(), k, n, b_stride, *b_);
  // All ones is a NaN, and an unlikely integer.
  std::memset(c_->memory().data(), 0xff, c_->memory().size());

  const host::BufferBinding buffers[] = {
      {0, a_binding, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, a_->handle()},
      {0, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, b_->handle()},
      {0, c_binding, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, c_->handle()}};
  descriptors_ = std::make_unique<host::DescriptorSets>(device, *pipeline_, buffers);

  const host::Functions& functions = device.functions();
  commands_ = device.begin();
  functions.vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_->handle());
  functions.vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_->layout(),
                                    0, 1, descriptors_->handles().data(), 0, nullptr);
  functions.vkCmdPushConstants(commands_, pipeline_->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                               sizeof(push), push);
  functions.vkCmdDispatch(commands_, roundUp(columns, form.columns) / form.columns,
                          roundUp(rows, form.rows) / form.rows, 1);
  device.barrier(commands_);
  device.end(commands_);
}

void Gemm::fill(std::span<const std::byte> elements, uint32_t rows, uint32_t columns,
                uint32_t stride, const host::Buffer& buffer) const {
  std::byte* memory = buffer.memory().data();
  std::memset(memory, 0, buffer.memory().size());
  const size_t size = data_.info().input_bytes;
  for (size_t row = 0; row < rows; ++row) {
    std::memcpy(memory + row * stride * size, elements.data() + row * columns * size,
                columns * size);
  }
}

void Gemm::run() const { device_.submitAndWait(commands_); }

GemmError Gemm::check() const { return checkProduct(data_, c_->memory().data(), c_stride_); }

}  // namespace bench
