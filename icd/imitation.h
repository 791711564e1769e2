// SPDX-License-Identifier: Apache-2.0

// TESSERA_IMITATE: this device as far as a profile leaves it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "icd/device_profile.h"
#include "icd/extensions.h"
#include "icd/features.h"
#include "icd/properties.h"
#include "jit/matrix/layout.h"
#include "jit/matrix/shapes.h"
#include "runtime/log.h"

namespace icd {

// What the profile has and this driver has not, a few words each.
struct ImitationLacks {
  std::vector<std::string> extensions, features, properties, matrices, others;
  size_t count() const {
    return extensions.size() + features.size() + properties.size() + matrices.size() +
           others.size();
  }
};

struct Imitation {
  Properties properties;
  ExtensionSet extensions;
  DeviceFeatures features;
  jit::coopmat::Tables matrices;
  std::optional<jit::coopmat::Mapping> component_layout;  // nothing: the profile says none
  ImitationLacks lacks;
};

// Of the profile that a value of TESSERA_IMITATE means; or in a line what is wrong with the value,
// and what would be right. `own` has the subgroup size that TESSERA_SUBGROUP_SIZE gives if
// `keeps_subgroup_size`.
std::variant<Imitation, std::string> imitate(const std::string& value, const Properties& own,
                                             bool keeps_subgroup_size);

// A warning of how much is missing, and at the level info what.
void reportImitation(const std::string& value, const ImitationLacks& lacks, rt::Log& log);

}  // namespace icd
