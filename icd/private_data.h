// SPDX-License-Identifier: Apache-2.0

// Values that applications attach to objects (specification, "Private Data"). They live in the
// object, so they end with it; a slot only names them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace icd {

class PrivateData {
 public:
  void set(uint64_t slot, uint64_t value);
  uint64_t get(uint64_t slot) const;  // 0 when never set

 private:
  std::vector<std::pair<uint64_t, uint64_t>> values_;  // slot number, value
};

}  // namespace icd
