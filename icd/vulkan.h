// SPDX-License-Identifier: Apache-2.0

// The Vulkan headers as the driver wants them: types and PFN_ types, no prototypes. The functions
// of the same names are ours, in namespace icd (icd/entrypoints.h).
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>

static_assert(sizeof(void*) == 8, "non-dispatchable handles are taken to be pointers");
