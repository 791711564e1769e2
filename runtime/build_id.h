// SPDX-License-Identifier: Apache-2.0

// Which build of the driver this is.
#pragma once

#include <cstdint>
#include <span>

namespace rt {

// The GNU build id of the library or program that this code is part of: a hash over its contents,
// made by the linker. Empty where the linker was told to leave it out.
std::span<const uint8_t> buildId();

}  // namespace rt
