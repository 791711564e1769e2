// SPDX-License-Identifier: Apache-2.0

// What a command buffer has recorded, as the check of the API (api_check.h) sees it, under its
// lock.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "icd/api_check/descriptor_shadow.h"
#include "icd/command_buffer.h"
#include "jit/shader_inputs.h"
#include "runtime/check/finding.h"

namespace icd {

using Findings = std::vector<rt::Finding>;

// Adds one; `shader`: its name, or empty.
void addFinding(Findings& found, rt::FindingKind kind, std::string_view id, std::string what,
                std::vector<std::string> details, std::string shader = {});

// What pipeline layouts need to have alike for push constants (Vulkan Specification, "Pipeline
// Layout Compatibility").
class PushRanges {
 public:
  PushRanges() = default;
  explicit PushRanges(std::span<const VkPushConstantRange> ranges);
  bool operator==(const PushRanges&) const = default;

 private:
  std::vector<std::array<uint32_t, 3>> ranges_;  // stages, offset, size; ascending
};

// A pipeline or a shader object.
struct CheckedProgram {
  ObjectId id;
  VkObjectType type;
  std::string description;                  // "pipeline 'blur'"
  std::string shader;                       // its name; may be empty
  std::optional<jit::ShaderInputs> inputs;  // none: not known
  PushRanges push_ranges;
};

// Bytes that a command accesses.
struct CommandAccess {
  uint64_t begin = 0, end = 0;  // addresses
  bool is_stored = false;       // they may be written
  bool is_whole = false;        // all of them are accessed for sure
  std::shared_ptr<const std::string> how;
  size_t command = 0;  // its number in the list
};

// A dispatch, as reports say it.
struct DispatchSubject {
  const char* command;
  std::shared_ptr<const CheckedProgram> program;
  std::shared_ptr<const std::string> how;  // describeCommand()
};

// Descriptors that may be written until the dispatch is submitted.
struct LateDescriptor {
  DispatchSubject subject;
  jit::ShaderInputs::Descriptor used;
  std::shared_ptr<DescriptorShadow> shadow;
};

struct Recording {
  // A descriptor set, or descriptors that were pushed.
  struct Set {
    ObjectId id;  // none: pushed
    std::shared_ptr<DescriptorShadow> shadow;
  };

  uint64_t number = 0;  // tells recordings of one command buffer apart
  bool may_be_pending_twice = false;
  bool tells_its_end = false;  // it writes markers, by which a program may know of its end
  bool writes_anywhere = false;
  std::vector<ObjectUse> uses;
  std::unordered_map<uint64_t, size_t> use_of;              // by handle, of the last one
  std::vector<std::pair<ObjectUse, uint64_t>> secondaries;  // with their recordings' numbers
  std::vector<CommandAccess> accesses;
  std::vector<LateDescriptor> late;

  // What the next dispatch finds:
  std::shared_ptr<const CheckedProgram> program;
  std::array<Set, rt::kMaxDescriptorSets> sets;
  std::vector<PushRanges> layouts;                            // that constants were set with
  std::array<uint8_t, rt::kMaxPushConstantBytes> set_with{};  // 0: not set, else of layouts, + 1

  void use(const ObjectUse& use);
  void push(const PushRanges& ranges, uint32_t offset, uint32_t size);
};

// Looks at one dispatch before it is recorded.
class DispatchCheck {
 public:
  DispatchCheck(const char* command, const CommandBuffer& buffer, Recording& recording,
                ObjectUses& objects);

  void run(Findings& found);

 private:
  void checkDescriptor(const jit::ShaderInputs::Descriptor& used, Findings& found);
  void access(const jit::ShaderInputs::Descriptor& used, const DescriptorBinding& binding,
              uint32_t element);
  void checkPushConstants(Findings& found) const;

  const CommandBuffer& buffer_;
  Recording& recording_;
  ObjectUses& objects_;
  const DispatchSubject subject_;
  std::array<bool, rt::kMaxDescriptorSets> is_unbound_{};  // and has been reported
};

// Reports those of the elements that are not valid; returns the uses of those that are.
std::vector<ObjectUse> checkElements(const LateDescriptor& descriptor, const ObjectUses& objects,
                                     Findings& found);

// "command 2, vkCmdDispatch, of command buffer 'frame'", of the one that is recorded next: lists
// begin with a command of the check.
std::shared_ptr<const std::string> describeCommand(const char* command, const CommandBuffer& buffer,
                                                   const Recording& recording,
                                                   const ObjectUses& objects);

}  // namespace icd
