// SPDX-License-Identifier: Apache-2.0

#include "bench/compute/shader_run.h"

#include "tests/support/shader_compiler.h"

namespace bench {

ShaderRun::ShaderRun(const host::Device& device, const ShaderDescription& description)
    : device_(device) {
  host::GlslOptions options;
  options.defines = description.defines;
  const auto spirv = host::compileGlsl(description.glsl, description.name, options);
  host::PipelineDescription pipeline;
  pipeline.spirv = spirv;
  pipeline.robust = description.robust;
  pipeline.push_bytes = static_cast<uint32_t>(description.push_constants.size() * 4);
  std::vector<host::BufferBinding> bindings;
  for (uint32_t b = 0; b < description.buffers.size(); ++b) {
    pipeline.bindings.push_back({0, b});
    buffers_.push_back(std::make_unique<host::Buffer>(device, description.buffers[b]));
    bindings.push_back({0, b, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers_[b]->handle()});
  }
  pipeline_ = std::make_unique<host::ComputePipeline>(device, pipeline);
  descriptors_ = std::make_unique<host::DescriptorSets>(device, *pipeline_, bindings);

  const host::Functions& functions = device.functions();
  commands_ = device.begin();
  functions.vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_->handle());
  functions.vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_->layout(),
                                    0, 1, descriptors_->handles().data(), 0, nullptr);
  if (pipeline.push_bytes != 0)
    functions.vkCmdPushConstants(commands_, pipeline_->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                 pipeline.push_bytes, description.push_constants.data());
  for (uint32_t i = 0; i < description.dispatches; ++i) {
    functions.vkCmdDispatch(commands_, description.workgroups, 1, 1);
    device.barrier(commands_);
  }
  device.end(commands_);
}

void ShaderRun::run() const { device_.submitAndWait(commands_); }

}  // namespace bench
