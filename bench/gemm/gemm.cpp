#include "bench/gemm/gemm.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gemm_source.h"
#include "tests/support/shader_compiler.h"

namespace bench {
namespace {

constexpr uint32_t kTile = 16;

// What a workgroup computes of C, and who does.
struct FormInfo {
  const char* name;
  const char* source;
  uint32_t rows, columns;  // of C
  uint32_t subgroups;      // 0: the workgroup holds its matrices as a whole
  uint32_t invocations;    // of such a workgroup
  bool padded;             // needs sizes that are multiples of the block and of the tile's depth
};

constexpr FormInfo kForms[] = {
    {"1 tile", kGemmOneTile, kTile, kTile, 1, 0, true},
    {"4x4 tiles", kGemmBlocked, 4 * kTile, 4 * kTile, 1, 0, true},
    {"staged", kGemmStaged, 64, 64, 4, 0, false},
    {"wg 128x256", kGemmWorkgroup, 128, 256, 0, 256, false},
    {"wg 128x128", kGemmWorkgroup, 128, 128, 0, 128, false},
};

const FormInfo& formInfo(GemmForm form) { return kForms[static_cast<size_t>(form)]; }

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

VkComponentTypeKHR inputComponent(GemmType type) {
  switch (type) {
    case GemmType::F16:
      return VK_COMPONENT_TYPE_FLOAT16_KHR;
    case GemmType::Bf16:
      return VK_COMPONENT_TYPE_BFLOAT16_KHR;
    case GemmType::S8:
      break;
  }
  return VK_COMPONENT_TYPE_SINT8_KHR;
}

VkComponentTypeKHR outputComponent(GemmType type) {
  return type == GemmType::S8 ? VK_COMPONENT_TYPE_SINT32_KHR : VK_COMPONENT_TYPE_FLOAT32_KHR;
}

constexpr const char* kWorkgroupFeatures[] = {"cooperativeMatrixWorkgroupScope",
                                              "cooperativeMatrixFlexibleDimensions",
                                              "cooperativeMatrixTensorAddressing"};

std::vector<const char*> neededFeatures(GemmType type) {
  std::vector<const char*> features = {"cooperativeMatrix", "vulkanMemoryModel"};
  if (type == GemmType::F16) {
    features.insert(features.end(), {"shaderFloat16", "storageBuffer16BitAccess"});
  } else if (type == GemmType::Bf16) {
    features.insert(features.end(), {"shaderBFloat16Type", "shaderBFloat16CooperativeMatrix",
                                     "storageBuffer16BitAccess"});
  } else {
    features.insert(features.end(), {"shaderInt8", "storageBuffer8BitAccess"});
  }
  return features;
}

// Whether the device lists such matrices in workgroups of the form.
bool hasFlexibleMatrices(const host::Device& device, GemmType type, const FormInfo& form) {
  const auto& rows = device.physical().flexible_matrices;
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
    return row.scope == VK_SCOPE_WORKGROUP_KHR && row.workgroupInvocations == form.invocations &&
           form.rows % row.MGranularity == 0 && form.columns % row.NGranularity == 0 &&
           gemmTypeInfo(type).stage_k % row.KGranularity == 0 &&
           row.AType == inputComponent(type) && row.BType == inputComponent(type) &&
           row.CType == outputComponent(type) && row.ResultType == outputComponent(type) &&
           row.saturatingAccumulation == VK_FALSE;
  });
}

bool hasTiles(const host::Device& device, GemmType type) {
  const auto& rows = device.physical().matrices;
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
    return row.scope == VK_SCOPE_SUBGROUP_KHR && row.MSize == kTile && row.NSize == kTile &&
           row.KSize == gemmTypeInfo(type).tile_k && row.AType == inputComponent(type) &&
           row.BType == inputComponent(type) && row.CType == outputComponent(type) &&
           row.ResultType == outputComponent(type);
  });
}

}  // namespace

const char* gemmFormName(GemmForm form) { return formInfo(form).name; }

std::vector<uint32_t> compileGemm(GemmType type, const GemmOptions& options) {
  const GemmTypeInfo& info = gemmTypeInfo(type);
  const FormInfo& form = formInfo(options.form);
  host::GlslOptions glsl;
  glsl.defines = {{"IN_T", info.glsl_input},
                  {"OUT_T", info.glsl_output},
                  {"TILE_K", std::to_string(info.tile_k)},
                  {"STAGE_K", std::to_string(info.stage_k)},
                  {"BLOCK_M", std::to_string(form.rows)},
                  {"BLOCK_N", std::to_string(form.columns)},
                  {"A_BINDING", options.reversed_bindings ? "2" : "0"},
                  {"B_BINDING", "1"},
                  {"C_BINDING", options.reversed_bindings ? "0" : "2"}};
  if (type == GemmType::Bf16) glsl.defines.emplace_back("USES_BFLOAT16", "");
  if (form.subgroups == 0) glsl.defines.emplace_back("USES_WORKGROUP_SCOPE", "");
  return host::compileGlsl(std::string(kGemmInterface) + form.source, form.name, glsl);
}

std::string findMissing(const host::Device& device, GemmType type, GemmForm form) {
  std::vector<const char*> features = neededFeatures(type);
  const FormInfo& info = formInfo(form);
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
  if (hasTiles(device, type)) return "";
  return "no 16x16x" + std::to_string(gemmTypeInfo(type).tile_k) + " matrices of " + name;
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
    : Gemm(device, data, options, compileGemm(data.type, options)) {}

Gemm::Gemm(const host::Device& device, const GemmData& data, const GemmOptions& options,
           const std::vector<uint32_t>& spirv)
    : device_(device), data_(data) {
  const FormInfo& form = formInfo(options.form);
  const GemmTypeInfo& type = gemmTypeInfo(data.type);
  const auto [m, n, k] = data.size;
  const uint32_t rows = form.padded ? roundUp(m, form.rows) : m;
  const uint32_t columns = form.padded ? roundUp(n, form.columns) : n;
  const uint32_t depth = form.padded ? roundUp(k, type.tile_k) : k;
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
  c_ = std::make_unique<host::Buffer>(device, bytes(rows, c_stride_, 4));
  fill(data.a, m, k, a_stride, *a_);
  fill(data.b, k, n, b_stride, *b_);
  // All ones is a NaN, and an unlikely s32.
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

void Gemm::fill(const std::vector<uint16_t>& elements, uint32_t rows, uint32_t columns,
                uint32_t stride, const host::Buffer& buffer) const {
  std::byte* memory = buffer.memory().data();
  std::memset(memory, 0, buffer.memory().size());
  const uint32_t size = gemmTypeInfo(data_.type).input_bytes;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      // Little endian: the low byte first, which is all of an s8.
      std::memcpy(memory + (row * stride + column) * size, &elements[row * columns + column], size);
    }
  }
}

void Gemm::run() const { device_.submitAndWait(commands_); }

GemmError Gemm::check() const {
  GemmError error;
  const std::byte* memory = c_->memory().data();
  const auto [m, n, k] = data_.size;
  for (uint32_t row = 0; row < m; ++row) {
    for (uint32_t column = 0; column < n; ++column) {
      const size_t at = static_cast<size_t>(row) * c_stride_ + column;
      double got;
      if (data_.type == GemmType::S8) {
        int32_t value;
        std::memcpy(&value, memory + at * 4, 4);
        got = value;
      } else {
        float value;
        std::memcpy(&value, memory + at * 4, 4);
        got = static_cast<double>(value);
      }
      const double difference =
          std::fabs(got - data_.product[static_cast<size_t>(row) * n + column]);
      // Not "greater": a NaN must fail too.
      if (!(difference <= gemmTolerance(data_, row, column))) error.good = false;
      if (!(difference <= error.largest)) error.largest = difference;
    }
  }
  return error;
}

}  // namespace bench
