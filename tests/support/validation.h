// SPDX-License-Identifier: Apache-2.0

// Tests run once more under Vulkan's validation layer (tests/validation/), where they must use the
// API as the specification demands.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace test {

inline bool underValidation() {
  const char* layers = std::getenv("VK_INSTANCE_LAYERS");
  return layers != nullptr &&
         std::string_view(layers).find("VK_LAYER_KHRONOS_validation") != std::string_view::npos;
}

}  // namespace test

// What cannot be done under the layer: the rest of the test, or all tests of a fixture when it
// stands in SetUp, is left out there. The reason comes with the test's result.
#define SKIP_UNDER_VALIDATION(reason) \
  if (test::underValidation()) GTEST_SKIP() << "under validation: " reason

// What follows breaks valid usage on purpose, to see what the driver does about it.
#define MISUSE_FROM_HERE() SKIP_UNDER_VALIDATION("misuse of the API")
