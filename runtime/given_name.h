// SPDX-License-Identifier: Apache-2.0

// A name that may change while others read it.
#pragma once

#include <mutex>
#include <string>
#include <utility>

namespace rt {

class GivenName {
 public:
  void set(std::string name) {
    std::lock_guard lock(mutex_);
    name_ = std::move(name);
  }
  std::string get() const {
    std::lock_guard lock(mutex_);
    return name_;
  }

 private:
  mutable std::mutex mutex_;
  std::string name_;  // under mutex_
};

}  // namespace rt
