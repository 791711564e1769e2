// SPDX-License-Identifier: Apache-2.0

#include "bench/compute/shader_run.h"

#include "bench/timing.h"
#include "tests/support/shader_compiler.h"

namespace bench {

ShaderRun::ShaderRun(const host::Device& device, const ShaderDescription& description)
    : device_(device), description_(description) {
  std::vector<uint32_t> spirv = description.spirv;
  if (spirv.empty()) {
    host::GlslOptions options;
    options.defines = description.defines;
    spirv = host::compileGlsl(description.glsl, description.name, options);
  }
  host::PipelineDescription pipeline;
  pipeline.spirv = spirv;
  pipeline.robust = description.robust;
  pipeline.subgroup_size = description.subgroup_size;
  pipeline.push_bytes = static_cast<uint32_t>(description.push_constants.size() * 4);
  std::vector<host::BufferBinding> bindings;
  buffers_ = description.shared_buffers;
  for (const uint64_t bytes : description.buffers)
    buffers_.push_back(std::make_shared<host::Buffer>(device, bytes));
  for (uint32_t b = 0; b < buffers_.size(); ++b) {
    pipeline.bindings.push_back({0, b});
    bindings.push_back({0, b, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers_[b]->handle()});
  }
  const double start = processSeconds();
  pipeline_ = std::make_unique<host::ComputePipeline>(device, pipeline);
  compile_seconds_ = processSeconds() - start;
  descriptors_ = std::make_unique<host::DescriptorSets>(device, *pipeline_, bindings);

  record(description.dispatches);
}

void ShaderRun::record(uint32_t dispatches) {
  const host::Functions& functions = device_.functions();
  commands_ = device_.begin();
  functions.vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_->handle());
  functions.vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_->layout(),
                                    0, 1, descriptors_->handles().data(), 0, nullptr);
  const std::vector<uint32_t>& push = description_.push_constants;
  if (!push.empty())
    functions.vkCmdPushConstants(commands_, pipeline_->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                 static_cast<uint32_t>(push.size() * sizeof(uint32_t)),
                                 push.data());
  for (uint32_t i = 0; i < dispatches; ++i) {
    functions.vkCmdDispatch(commands_, description_.workgroups, description_.workgroups_y,
                            description_.workgroups_z);
    device_.barrier(commands_);
  }
  device_.end(commands_);
}

void ShaderRun::run() const { device_.submitAndWait(commands_); }

}  // namespace bench
