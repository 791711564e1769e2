// SPDX-License-Identifier: Apache-2.0

// What TESSERA_LOG=info says: which device this is, why clients may pass it over, and where the
// code of its shaders came from.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "runtime/cpu_features.h"
#include "runtime/log.h"

namespace icd {

struct PhysicalDevice;

// Of the device that an instance has.
void reportPhysicalDevice(const PhysicalDevice& device, rt::Log& log);

// Of the device that is made from it: what kernels run on, and where they are kept.
void reportDevice(const PhysicalDevice& device, rt::Isa isa, bool keeps_kernels, rt::Log& log);

enum class CodeOrigin : uint8_t { Compiler, PipelineCache, DiskCache, PipelineBinary };
const char* nameOf(CodeOrigin origin);  // "compiled", "found in the cache folder"

// Where the code of a device's shaders came from. Thread-safe.
class ShaderReport {
 public:
  explicit ShaderReport(rt::Log& log) : log_(log) {}

  // Says it of one shader, with the time it took and the bytes of its code.
  void add(const char* command, const std::string& name, CodeOrigin origin, uint64_t nanoseconds,
           uint64_t code_bytes);
  // Of all so far, unless there were none.
  void sumUp(const char* command) const;

 private:
  struct Sum {
    std::atomic<uint64_t> count = 0, nanoseconds = 0;
  };

  rt::Log& log_;
  Sum sums_[4];  // by origin
};

}  // namespace icd
