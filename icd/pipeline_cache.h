// SPDX-License-Identifier: Apache-2.0

// VkPipelineCache: compiled kernels by key.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "icd/handles.h"
#include "jit/compiler.h"

namespace icd {

// Thread-safe, so that pipelines can be made from one cache on many threads.
class PipelineCache : public NonDispatchable<PipelineCache, VkPipelineCache> {
 public:
  using Binary = std::shared_ptr<const std::vector<std::byte>>;  // of jit::Compiler

  Binary find(const jit::KernelKey& key) const;  // null if there is none
  void insert(const jit::KernelKey& key, Binary binary);
  void insertAll(const PipelineCache& other);

  // Takes the entries from what write() wrote; nobody else may have written it.
  void read(std::span<const std::byte> data);
  // How many bytes write() would append.
  size_t bytes() const;
  // Appends as many whole entries as fit into `data` up to `limit` bytes. True if these are all.
  bool write(std::vector<std::byte>& data, size_t limit) const;

 private:
  mutable std::mutex mutex_;
  std::map<jit::KernelKey, Binary> binaries_;  // in an order, so that equal caches are equal data
};

}  // namespace icd
