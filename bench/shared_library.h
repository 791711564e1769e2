// SPDX-License-Identifier: Apache-2.0

// Libraries that are found at run time, and memory as they like it.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>

namespace bench {

// The functions of a shared library, which stays loaded: its threads may still run.
class SharedLibrary {
 public:
  // The first of the names that can be opened. Throws std::runtime_error, whose text says why none.
  explicit SharedLibrary(std::initializer_list<const char*> names);
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  // Null when the library lacks the function.
  template <typename Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(address(name));
  }
  // Throws std::runtime_error when it lacks it.
  template <typename Function>
  void load(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(required(name));
  }

 private:
  void* address(const char* name) const;
  void* required(const char* name) const;

  void* handle_ = nullptr;
};

// Bytes at a multiple of a cache line.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(size_t bytes);
  std::byte* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace bench
