// SPDX-License-Identifier: Apache-2.0

// The objects of one sequence of calls, and the calls about them. Recording is in api_commands.h.
#pragma once

#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/support/vulkan_fixture.h"

namespace fuzz {

class ApiObjects {
 public:
  ApiObjects(const api_test::Functions& vk, VkDevice device, uint64_t seed);
  ~ApiObjects();
  ApiObjects(const ApiObjects&) = delete;
  ApiObjects& operator=(const ApiObjects&) = delete;

  // A random call that makes or changes an object.
  void call();

  std::string complaint;  // the first

 protected:
  struct Buffer {
    VkBuffer handle;
    uint64_t size;
    bool bound;
  };
  struct Memory {
    VkDeviceMemory handle;
    uint64_t size;
    bool mapped;
  };
  struct SetLayout {
    VkDescriptorSetLayout handle;
    std::vector<VkDescriptorSetLayoutBinding> bindings;
  };
  struct Set {
    VkDescriptorSet handle;
    const SetLayout* layout;
  };
  struct Layout {
    VkPipelineLayout handle;
    std::vector<const SetLayout*> sets;  // null: none
  };
  struct Pipeline {
    VkPipeline handle;
    const Layout* layout;
  };
  // A pipeline binary as the application has it in a file.
  struct Stored {
    VkPipelineBinaryKeyKHR key;
    std::vector<std::byte> data;
  };
  struct QueryPool {
    VkQueryPool handle;
    VkQueryType type;
    uint32_t count;
  };

  // --- random numbers ---
  uint64_t below(uint64_t limit) { return limit == 0 ? 0 : random_() % limit; }
  bool oneIn(uint64_t n) { return below(n) == 0; }
  // Whether to do what is not allowed, here.
  bool mistake(uint64_t n) { return !careful && oneIn(n); }
  template <typename Element>
  Element* any(std::vector<Element>& elements) {
    return elements.empty() ? nullptr : &elements[below(elements.size())];
  }
  // A place in `size` bytes, inside (mostly, unless careful) and a multiple of `alignment`.
  uint64_t place(uint64_t size, uint64_t alignment);
  // Bytes from `offset` on, to or before the end, and not none (mostly, unless careful).
  uint64_t extent(uint64_t size, uint64_t offset, uint64_t alignment);

  // Of a call that the specification allows now: it has to succeed, or lack memory.
  void expectGood(const char* call, VkResult result);

  const api_test::Functions& vk;
  const VkDevice device;
  std::vector<Buffer> buffers;
  std::vector<Memory> memories;
  std::vector<std::unique_ptr<SetLayout>> set_layouts;
  std::vector<VkDescriptorPool> pools;
  std::vector<Set> sets;
  std::vector<std::unique_ptr<Layout>> layouts;
  std::vector<Pipeline> pipelines;
  std::vector<VkPipelineCache> caches;
  std::vector<Stored> stored;
  std::vector<QueryPool> query_pools;
  std::vector<VkShaderModule> modules;
  bool careful = false;  // while this holds, no mistakes are made

 private:
  void makeBuffer();
  void allocateMemory();
  void bindBuffer();
  void map();
  void makeSetLayout();
  void makePool();
  void allocateSets();
  void updateSets();
  void makeLayout();
  void makePipeline();
  void useCache();
  void useBinaries();
  void storeBinary();
  void restoreBinary();
  VkPipelineBinaryKHR makeBinary(const VkPipelineBinaryCreateInfoKHR& info);
  void useQueries();

  std::mt19937_64 random_;
};

}  // namespace fuzz
