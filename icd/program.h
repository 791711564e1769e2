// SPDX-License-Identifier: Apache-2.0

// What a dispatch runs: made by a pipeline or a shader object.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "icd/capture.h"
#include "icd/device_report.h"
#include "icd/pipeline_cache.h"
#include "icd/pipeline_layout.h"
#include "icd/pipeline_request.h"
#include "runtime/kernel.h"

namespace icd {

// A compiled kernel as bytes, for pipeline binaries.
struct CapturedKernel {
  jit::KernelKey key;            // its request's
  jit::KernelKey compatibility;  // where it may run: on this build and target, with such bindings
  PipelineCache::Binary binary;  // null: none
};

// What a kernel is to those who look at it (VK_KHR_pipeline_executable_properties).
struct Executable {
  std::shared_ptr<const jit::Kernel> kernel;
  std::vector<jit::Representation> representations;  // none unless they were asked for
};

// A compiled kernel, and how its arguments are gathered.
struct Program {
  const std::shared_ptr<const rt::KernelImage> kernel;  // commands share it
  const std::array<DynamicRange, rt::kMaxDescriptorSets> dynamic_ranges;
  // Of the sets that the kernel reads; null for others. What is bound must have been made alike.
  const std::array<std::shared_ptr<const DescriptorLayout>, rt::kMaxDescriptorSets> set_layouts;
  const CodeOrigin origin;
  const Executable executable;
  CapturedKernel captured;                                // as far as it was asked for
  std::shared_ptr<const CapturedShader> captured_shader;  // null: dispatches are not captured
  std::byte* coverage = nullptr;  // rt::DispatchArgs::coverage, for as long as the process lives
};

struct CompileOptions {
  PipelineCache* cache = nullptr;  // the application's: searched first; receives the kernel
  bool representations = false;    // are to be kept, for which it is compiled anew
  bool capture = false;            // the kernel's bytes too; then it goes into no cache on disk
  bool may_compile = true;         // else VK_PIPELINE_COMPILE_REQUIRED, unless a cache has it
};

// The program of a request, from a cache or from the compiler. Where it fails, it has said why, in
// the name of `command`.
std::variant<Program, VkResult> makeProgram(const char* command, Device& device,
                                            const PipelineRequest& request,
                                            const PipelineLayout& layout,
                                            const CompileOptions& options = {});

// The program of a pipeline binary, with a name for messages; with the binary, if it is to be
// captured.
std::variant<Program, VkResult> loadProgram(const char* command, Device& device,
                                            const std::string& name, const CapturedKernel& kernel,
                                            const PipelineLayout& layout, bool capture);

// The kernel of a request from the cache on disk; without bytes if that has none.
CapturedKernel findInternally(const char* command, Device& device, const PipelineRequest& request,
                              const PipelineLayout& layout);

}  // namespace icd
