// SPDX-License-Identifier: Apache-2.0

// Vulkan handles and the classes behind them: a handle is the address of its object.
//
// Host allocation callbacks are not called: objects come from the process's own allocator, whose
// failures are VK_ERROR_OUT_OF_HOST_MEMORY (Guarded turns std::bad_alloc into that).
#pragma once

#include <type_traits>
#include <utility>

#include "icd/private_data.h"
#include "icd/vulkan.h"

namespace icd {

// First base of the class of an object that the loader does not look into.
template <class Class, class VulkanHandle>
struct NonDispatchable {
  using Handle = VulkanHandle;

  static Class* from(Handle handle) { return reinterpret_cast<Class*>(handle); }
  Handle handle() {
    static_assert(!std::is_polymorphic_v<Class>, "the base would not come first");
    return reinterpret_cast<Handle>(static_cast<Class*>(this));
  }

  PrivateData private_data;
};

// First base of the class of an object whose first word belongs to the loader.
template <class Class, class VulkanHandle>
struct Dispatchable {
  using Handle = VulkanHandle;

  static Class* from(Handle handle) { return reinterpret_cast<Class*>(handle); }
  Handle handle() {
    static_assert(!std::is_polymorphic_v<Class>, "the base would not come first");
    return reinterpret_cast<Handle>(static_cast<Class*>(this));
  }

  VK_LOADER_DATA loader{ICD_LOADER_MAGIC};
  PrivateData private_data;
};

// vkCreate*: *out is written last, so it stays as it was when the constructor throws.
template <class Class, class... Args>
VkResult createObject(typename Class::Handle* out, Args&&... args) {
  *out = (new Class(std::forward<Args>(args)...))->handle();
  return VK_SUCCESS;
}

// vkDestroy*: VK_NULL_HANDLE is allowed.
template <class Class>
void destroyObject(typename Class::Handle handle) {
  delete Class::from(handle);
}

}  // namespace icd
