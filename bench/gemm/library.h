// SPDX-License-Identifier: Apache-2.0

// The peers: matrix products of libraries for CPUs, found at run time. Nothing is linked, so that
// the benchmarks build and run where they are not installed.
#pragma once

#include <memory>
#include <string>

#include "bench/gemm/gemm_data.h"
#include "bench/shared_library.h"

namespace bench {

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
  // What the library names the code that it chose: "brg_matmul:avx10_1_512_amx". Empty where it
  // does not tell.
  virtual std::string implementation() const { return ""; }
};

// Throws std::runtime_error when they are not installed.
std::unique_ptr<Library> openOpenBlas();
std::unique_ptr<Library> openOneDnn();

}  // namespace bench
