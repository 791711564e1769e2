// SPDX-License-Identifier: Apache-2.0

// The peers: matrix products of libraries for CPUs, found at run time. Nothing is linked, so that
// the benchmarks build and run where they are not installed.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>

#include "bench/gemm/gemm_data.h"

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

// The library in this process, with as many threads as its variable in the environment says.
class Library {
 public:
  virtual ~Library() = default;
  virtual std::string describe() const = 0;  // "OpenBLAS 0.3.34 Cooperlake"
  // Makes the product of these matrices, which must outlive it, without what was there before.
  // Returns why the library has none; empty when it has.
  virtual std::string prepare(const GemmData& data) = 0;
  virtual void run() = 0;
  // Of the result of the last run.
  virtual GemmError check() const = 0;
};

// Throws std::runtime_error when they are not installed.
std::unique_ptr<Library> openOpenBlas();
std::unique_ptr<Library> openOneDnn();

}  // namespace bench
