// SPDX-License-Identifier: Apache-2.0

// What a profile makes of the device's properties (TESSERA_IMITATE).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "icd/device_profile.h"
#include "icd/properties.h"

namespace icd {

struct ImitatedProperties {
  Properties properties;
  std::vector<std::string> lacks;  // what the profile has and this driver has not: a few words each
  std::optional<std::string> problem;  // a value that no device can have
};

// `own` as far as the profile's properties leave it; a property that is there several times has
// what promises most. Names, ids and UUIDs stay. The subgroup size is the profile's, unless
// `keeps_subgroup_size`.
ImitatedProperties imitateProperties(const Properties& own,
                                     const std::vector<ProfileProperty>& wanted,
                                     bool keeps_subgroup_size);

}  // namespace icd
