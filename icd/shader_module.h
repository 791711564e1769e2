// SPDX-License-Identifier: Apache-2.0

// VkShaderModule: the words, unread until a pipeline is made.
#pragma once

#include <string>
#include <vector>

#include "icd/handles.h"

namespace icd {

struct ShaderModule : NonDispatchable<ShaderModule, VkShaderModule> {
  explicit ShaderModule(const VkShaderModuleCreateInfo& info)
      : words(info.pCode, info.pCode + info.codeSize / sizeof(uint32_t)) {}

  const std::vector<uint32_t> words;
  std::string name;  // of vkSetDebugUtilsObjectNameEXT, for messages and dumps
};

}  // namespace icd
