// SPDX-License-Identifier: Apache-2.0

// Dispatches as files that tessera-run runs again (TESSERA_CAPTURE): shader, descriptors,
// constants, and the memory that they can reach, before and after.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "icd/descriptor_layout.h"
#include "icd/pipeline_layout.h"
#include "runtime/check/memory_map.h"
#include "runtime/config.h"
#include "runtime/kernel_abi.h"
#include "runtime/log.h"

namespace icd {

struct Device;
class PipelineRequest;

// What a pipeline was made of; copied, as the application's objects may be gone.
struct CapturedShader {
  CapturedShader(const Device& device, const PipelineRequest& request,
                 const PipelineLayout& layout);

  std::string name, entry_point;
  std::vector<uint32_t> words;
  std::vector<std::pair<uint32_t, std::vector<std::byte>>> specializations;  // by id
  uint32_t push_bytes = 0;
  uint32_t subgroup_size = 0;
  bool full_subgroups = false;
  bool is_robust_device = false, is_robust = false;
  bool uses_addresses = false;  // of memory: it may reach all buffers
};

// Null where no dispatch is captured, and for pipelines whose module nobody has any more (made of
// pipeline binaries).
std::shared_ptr<const CapturedShader> capturedShader(const Device& device,
                                                     const PipelineRequest& request,
                                                     const PipelineLayout& layout);

// One per device. Thread-safe.
class Capture {
 public:
  // Nothing where none is asked for.
  static std::shared_ptr<Capture> create(const rt::Config& config, std::shared_ptr<rt::Log> log);

  // Which buffers there are.
  rt::MemoryMap& memory() { return memory_; }

  // The number of a dispatch that is executed now; nothing: it is not to be written.
  std::optional<uint64_t> next(const CapturedShader& shader);
  std::filesystem::path folderOf(uint64_t number) const;
  // Whether so many bytes may be written, too.
  bool reserve(uint64_t bytes);
  uint64_t limit() const { return most_bytes_; }
  // No more dispatches of the process are captured: says why, once.
  void stop(const std::string& why);

 private:
  Capture(const rt::Config& config, std::shared_ptr<rt::Log> log);

  const std::filesystem::path folder_;
  const std::string pipeline_;
  const rt::NumberRange numbers_;
  const uint64_t most_bytes_;
  const std::shared_ptr<rt::Log> log_;
  rt::MemoryMap memory_;
};

// A dispatch that was recorded: the queue calls begin() before it and end() after it, each time
// that it executes it.
class CapturedDispatch {
 public:
  using SetLayouts = std::array<std::shared_ptr<const DescriptorLayout>, rt::kMaxDescriptorSets>;
  // `counts`: of an indirect dispatch, where its counts are; null: they are in `args`. What `args`
  // refers to is there when the dispatch is executed.
  CapturedDispatch(std::shared_ptr<Capture> capture, std::shared_ptr<const CapturedShader> shader,
                   const rt::DispatchArgs& args, const SetLayouts& layouts,
                   const std::array<uint32_t, rt::kMaxDescriptorSets>& first_dynamic,
                   const std::byte* counts)
      : capture_(std::move(capture)),
        shader_(std::move(shader)),
        args_(args),
        layouts_(layouts),
        first_dynamic_(first_dynamic),
        counts_(counts) {}

  // Throw nothing.
  void begin();
  void end();

 private:
  struct Buffer {
    rt::MemoryMap::Range range;
    std::string name;  // of the directive and of the files
    std::span<const std::byte> contents() const {
      return {reinterpret_cast<const std::byte*>(range.begin), range.bytes()};
    }
  };
  struct Descriptor {
    uint32_t set = 0, binding = 0, element = 0;
    bool is_uniform = false;
    std::optional<size_t> buffer;  // of buffers_; nothing: a null descriptor
    uint64_t offset = 0, bytes = 0;
  };
  struct InlineBlock {
    uint32_t set = 0, binding = 0;
    std::vector<std::byte> data;
  };
  void gather();
  void gatherSet(uint32_t set);
  // What a descriptor leads to.
  void find(Descriptor& descriptor, uint64_t address, uint64_t bytes);
  size_t addBuffer(const rt::MemoryMap::NamedBuffer& buffer);
  void writeBefore() const;
  std::string writeAfter() const;
  std::string describeShader() const;
  std::string describeMemory() const;
  // Nothing of the execution stays, and no other is captured.
  void giveUp(const std::string& why);

  const std::shared_ptr<Capture> capture_;
  const std::shared_ptr<const CapturedShader> shader_;
  const rt::DispatchArgs args_;
  const SetLayouts layouts_;
  const std::array<uint32_t, rt::kMaxDescriptorSets> first_dynamic_;
  const std::byte* const counts_;
  // Of the execution in progress.
  uint64_t number_ = 0;
  std::filesystem::path folder_;  // empty: it is not written
  std::array<uint32_t, 3> groups_{};
  std::vector<rt::MemoryMap::NamedBuffer> live_;  // all that there are
  std::vector<Buffer> buffers_;                   // that the dispatch can reach
  std::vector<Descriptor> descriptors_;
  std::vector<InlineBlock> inline_blocks_;
};

}  // namespace icd
