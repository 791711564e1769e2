// SPDX-License-Identifier: Apache-2.0

// The wall between C++ and the C callers of the API: no exception passes it.
#pragma once

#include <cxxabi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <new>
#include <type_traits>

#include "icd/vulkan.h"
#include "runtime/log.h"

namespace icd {

// A command's name as a template argument.
template <size_t kSize>
struct CommandName {
  constexpr CommandName(const char (&name)[kSize]) { std::copy_n(name, kSize, text); }
  char text[kSize];
};

// Where a command reports its failures: the log of the instance that its first parameter belongs
// to; null when that is null itself.
rt::Log* logOf(VkInstance instance);
rt::Log* logOf(VkPhysicalDevice physical_device);
rt::Log* logOf(VkDevice device);
rt::Log* logOf(VkQueue queue);
rt::Log* logOf(VkCommandBuffer command_buffer);
inline rt::Log* logOf(const void*) { return nullptr; }  // commands that come before an instance

// Makes vkEndCommandBuffer return this result, as recording reports failures.
void failRecording(VkCommandBuffer command_buffer, VkResult result);

// Logs that a command could not do its work, and makes its result of it.
template <class Return, class First, class... Rest>
Return failCommand(const char* command, const char* reason, VkResult result, First first, Rest...) {
  if (rt::Log* log = logOf(first)) {
    char message[256];  // on the stack: there may be no memory
    std::snprintf(message, sizeof message, "%s: %s", command, reason);
    log->error(message);
  }
  if constexpr (std::is_same_v<First, VkCommandBuffer>) failRecording(first, result);
  if constexpr (std::is_same_v<Return, VkResult>) {
    return result;
  } else if constexpr (!std::is_void_v<Return>) {
    return Return{};
  }
}

// Guarded<&icd::vkFoo, "vkFoo">::call has vkFoo's type and turns exceptions into results.
template <auto kFunction, CommandName kName>
struct Guarded;

template <class Return, class... Args, Return (*kFunction)(Args...), CommandName kName>
struct Guarded<kFunction, kName> {
  static VKAPI_ATTR Return VKAPI_CALL call(Args... args) {
    try {
      return kFunction(args...);
    } catch (const abi::__forced_unwind&) {
      throw;  // the thread is being cancelled; swallowing that ends the process
    } catch (const std::bad_alloc&) {
      return failCommand<Return>(kName.text, "out of host memory", VK_ERROR_OUT_OF_HOST_MEMORY,
                                 args...);
    } catch (const std::exception& error) {
      return failCommand<Return>(kName.text, error.what(), VK_ERROR_UNKNOWN, args...);
    } catch (...) {
      return failCommand<Return>(kName.text, "unknown exception", VK_ERROR_UNKNOWN, args...);
    }
  }
};

// Refused<PFN_vkFoo, "vkFoo">::call has vkFoo's type and does nothing but refuse.
template <class Pfn, CommandName kName>
struct Refused;

template <class Return, class... Args, CommandName kName>
struct Refused<Return (*)(Args...), kName> {
  static VKAPI_ATTR Return VKAPI_CALL call(Args... args) {
    return failCommand<Return>(kName.text, "this device has no graphics queue",
                               VK_ERROR_FEATURE_NOT_PRESENT, args...);
  }
};

}  // namespace icd
