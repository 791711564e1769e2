// SPDX-License-Identifier: Apache-2.0

// What a shader statically uses of what a program gives it (Vulkan Specification, "Static Use"):
// descriptors and push constants, of the code that is left after specialization. For the check of
// the API (TESSERA_CHECK=api), which has to know without running it. No LLVM here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jit/base/kernel_request.h"

namespace jit {

struct ShaderInputs {
  struct Descriptor {
    uint32_t set = 0, binding = 0;
    std::string name;                // of the variable, or of its block; may be empty
    bool is_stored = false;          // it is declared such that the shader may store to it
    bool is_any = false;             // some elements that are not known; else
    std::vector<uint32_t> elements;  // these ones, ascending
  };
  // Push constants that one instruction reads.
  struct PushConstants {
    uint32_t begin = 0, end = 0;  // bytes
    bool is_any = false;          // some of them that are not known; else all
    std::string name;             // of the member; may be empty
  };

  std::vector<Descriptor> descriptors;  // each once, by set and binding
  std::vector<PushConstants> push_constants;
  bool uses_addresses = false;  // of device memory, beside descriptors
};

// Reads the module as compiling it does; nothing where that fails, which compiling it tells.
std::optional<ShaderInputs> inputsOf(const KernelRequest& request);

}  // namespace jit
