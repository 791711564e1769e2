// SPDX-License-Identifier: Apache-2.0

// A kernel of the suite as its file describes it, with the data on which it runs and the results
// that its C++ function makes of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/shared_library.h"
#include "bench/suite/rows.h"
#include "tests/support/kernel_file.h"
#include "tests/support/vulkan_host.h"

namespace bench {

// A copy of all buffers.
class BufferSet {
 public:
  using Contents = std::vector<std::vector<std::byte>>;
  explicit BufferSet(const Contents& contents);
  // In memory of the device.
  BufferSet(const host::Device& device, const Contents& contents);
  void assign(const Contents& contents) const;
  // Of the device; none of others.
  const std::vector<std::shared_ptr<host::Buffer>>& buffers() const { return buffers_; }
  std::byte* const* pointers() const { return pointers_.data(); }
  const std::vector<std::span<std::byte>>& spans() const { return spans_; }

 private:
  void add(std::span<std::byte> memory);

  std::vector<AlignedBytes> memory_;
  std::vector<std::shared_ptr<host::Buffer>> buffers_;
  std::vector<std::byte*> pointers_;
  std::vector<std::span<std::byte>> spans_;
};

class SuiteKernel {
 public:
  // Reads the file and runs the C++ function once. Throws std::exception.
  explicit SuiteKernel(const KernelRow& row);

  const KernelRow& row() const { return row_; }
  // Of every spelling; they differ in the shader and the grid only.
  const std::vector<kernels::Kernel>& spellings() const { return spellings_; }
  // Whether the spelling has vectors of another width than the first one has, or other paddings:
  // its file then gives it another WIDTH or PADDING.
  bool differsInWidth(const kernels::Kernel& spelling) const;
  const BufferSet::Contents& contents() const { return contents_; }
  const std::vector<uint32_t>& push() const { return push_; }
  Push pushed() const { return {push_.data()}; }
  // Empty if the buffers are as C++ has left them, within the file's tolerance.
  std::string compare(std::span<const std::span<std::byte>> results) const;
  // The path of a file beside the shader's, or an empty one where there is none.
  std::filesystem::path besides(const char* extension) const;

 private:
  const KernelRow& row_;
  std::vector<kernels::Kernel> spellings_;
  BufferSet::Contents contents_, expected_;
  std::vector<uint32_t> push_;
};

}  // namespace bench
