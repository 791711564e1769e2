// SPDX-License-Identifier: Apache-2.0

#include "icd/capture.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "icd/device.h"
#include "icd/pipeline_request.h"
#include "jit/shader_inputs.h"
#include "runtime/printable.h"

namespace icd {
namespace {

// Of the process, whatever device: folders have numbers.
std::atomic<uint64_t> executed = 0, written_bytes = 0;
std::atomic<bool> is_over = false;

}  // namespace

CapturedShader::CapturedShader(const Device& device, const PipelineRequest& request,
                               const PipelineLayout& layout)
    : name(request.kernel().name),
      entry_point(request.kernel().entry_point),
      words(request.kernel().spirv.begin(), request.kernel().spirv.end()),
      subgroup_size(request.kernel().subgroup_size),
      full_subgroups(request.kernel().require_full_subgroups),
      is_robust_device(device.options.robust_buffer_access || device.options.null_descriptor),
      is_robust(request.asksForRobustStorage()) {
  if (const auto inputs = jit::inputsOf(request.kernel())) uses_addresses = inputs->uses_addresses;
  for (const jit::Specialization& specialization : request.kernel().specializations)
    specializations.emplace_back(
        specialization.id,
        std::vector<std::byte>(specialization.value.begin(), specialization.value.end()));
  for (const VkPushConstantRange& range : layout.push_constants)
    push_bytes = std::max(push_bytes, range.offset + range.size);
}

std::shared_ptr<const CapturedShader> capturedShader(const Device& device,
                                                     const PipelineRequest& request,
                                                     const PipelineLayout& layout) {
  if (device.capture == nullptr || request.kernel().spirv.empty()) return nullptr;
  return std::make_shared<const CapturedShader>(device, request, layout);
}

Capture::Capture(const rt::Config& config, std::shared_ptr<rt::Log> log)
    : folder_(config.capture),
      pipeline_(config.capture_pipeline),
      numbers_(config.capture_numbers),
      most_bytes_(static_cast<uint64_t>(config.capture_limit)),
      log_(std::move(log)) {}

std::shared_ptr<Capture> Capture::create(const rt::Config& config, std::shared_ptr<rt::Log> log) {
  if (config.capture.empty()) return nullptr;
  return std::shared_ptr<Capture>(new Capture(config, std::move(log)));
}

std::optional<uint64_t> Capture::next(const CapturedShader& shader) {
  const uint64_t number = ++executed;
  const bool is_wanted = shader.name.find(pipeline_) != std::string::npos ||
                         shader.entry_point.find(pipeline_) != std::string::npos;
  if (is_over || !is_wanted || !numbers_.contains(number)) return std::nullopt;
  return number;
}

std::filesystem::path Capture::folderOf(uint64_t number) const {
  char name[24];
  std::snprintf(name, sizeof name, "%04llu", static_cast<unsigned long long>(number));
  return folder_ / name;
}

bool Capture::reserve(uint64_t bytes) {
  if (written_bytes.fetch_add(bytes) + bytes <= most_bytes_) return true;
  written_bytes -= bytes;
  return false;
}

void Capture::stop(const std::string& why) {
  if (is_over.exchange(true)) return;
  log_->error("TESSERA_CAPTURE: " + rt::printable(why) + "; no more dispatches are captured");
}

}  // namespace icd
