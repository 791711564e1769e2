// SPDX-License-Identifier: Apache-2.0

// TESSERA_LIMITS: a device that says it can do less. What it says is what is checked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "icd/properties.h"
#include "runtime/config.h"

namespace icd {

// `properties` with the changes that can be made, whatever they were there. Appends a line to
// `problems` for each that cannot: no such limit, or one that a device with the limits of `own`
// does not keep.
Properties shapeLimits(const Properties& own, Properties properties,
                       std::span<const rt::NamedNumber> changes,
                       std::vector<std::string>& problems);

}  // namespace icd
