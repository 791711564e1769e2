// SPDX-License-Identifier: Apache-2.0

// A shared library of LLVM that somebody else brought into the process, used through its C
// interface.
#pragma once

#include <string>

namespace api_test {

class OtherLlvm {
 public:
  // Loads the library with its symbols for all. Throws std::runtime_error when it cannot be used.
  explicit OtherLlvm(const std::string& name);

  // Compiles a function that adds `number` and returns what it makes of 1.
  int addToOne(int number) const;

 private:
  template <typename Function>
  Function* find(const char* name) const;

  void* library_;
};

}  // namespace api_test
