// SPDX-License-Identifier: Apache-2.0

#include "icd/api_check/recording.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "icd/program.h"

namespace icd {

namespace {

std::string placeOf(const jit::ShaderInputs::Descriptor& used, const DescriptorBinding* binding,
                    uint32_t element) {
  std::string text = used.name.empty() ? "the descriptor" : "'" + used.name + "'";
  text += " (set " + std::to_string(used.set) + ", binding " + std::to_string(used.binding);
  const bool is_array = binding != nullptr && binding->count > 1 && !isInline(binding->type);
  if (is_array) text += ", element " + std::to_string(element);
  return text + ")";
}

constexpr std::string_view kInvalidDescriptor = "VUID-vkCmdDispatch-None-08114";
constexpr std::string_view kSetNotBound = "VUID-vkCmdDispatch-None-08600";
constexpr std::string_view kPushConstantNotSet = "VUID-vkCmdDispatch-None-08601";

std::string beginOf(const DispatchSubject& subject) {
  return std::string(subject.command) + ": " + subject.program->description + " uses ";
}

void addInvalid(const DispatchSubject& subject, std::string_view id, const std::string& what,
                Findings& found) {
  addFinding(found, rt::FindingKind::DescriptorNotWritten, id, beginOf(subject) + what,
             {*subject.how}, subject.program->shader);
}

}  // namespace

void addFinding(Findings& found, rt::FindingKind kind, std::string_view id, std::string what,
                std::vector<std::string> details, std::string shader) {
  rt::Finding& finding = found.emplace_back();
  finding.kind = kind;
  finding.what = std::move(what);
  finding.details = std::move(details);
  finding.site.shader = std::move(shader);
  finding.id = id;
}

PushRanges::PushRanges(std::span<const VkPushConstantRange> ranges) {
  for (const VkPushConstantRange& range : ranges)
    ranges_.push_back({range.stageFlags, range.offset, range.size});
  std::ranges::sort(ranges_);
}

void Recording::use(const ObjectUse& use) {
  if (use.object.serial == 0) return;
  auto [known, is_new] = use_of.try_emplace(use.object.handle, uses.size());
  if (!is_new && uses[known->second].object == use.object) return;
  known->second = uses.size();
  uses.push_back(use);
}

void Recording::push(const PushRanges& ranges, uint32_t offset, uint32_t size) {
  auto known = std::ranges::find(layouts, ranges);
  if (known == layouts.end()) {
    if (layouts.size() == UINT8_MAX) return;  // more than anybody has
    layouts.push_back(ranges);
    known = std::prev(layouts.end());
  }
  const auto number = static_cast<uint8_t>(known - layouts.begin() + 1);
  const size_t begin = std::min<size_t>(offset, set_with.size());
  const size_t end = std::min<size_t>(begin + size, set_with.size());
  std::fill(set_with.begin() + begin, set_with.begin() + end, number);
}

std::shared_ptr<const std::string> describeCommand(const char* command, const CommandBuffer& buffer,
                                                   const Recording& recording,
                                                   const ObjectUses& objects) {
  std::string text =
      "command " + std::to_string(buffer.list()->commands.size()) + ", " + command + ", of " +
      objects.describe(VK_OBJECT_TYPE_COMMAND_BUFFER, reinterpret_cast<uintptr_t>(&buffer));
  if (recording.program != nullptr) text += ", with " + recording.program->description;
  return std::make_shared<const std::string>(std::move(text));
}

DispatchCheck::DispatchCheck(const char* command, const CommandBuffer& buffer, Recording& recording,
                             ObjectUses& objects)
    : buffer_(buffer),
      recording_(recording),
      objects_(objects),
      subject_{command, recording.program, describeCommand(command, buffer, recording, objects)} {}

void DispatchCheck::run(Findings& found) {
  if (recording_.program == nullptr) return;
  recording_.writes_anywhere |=
      !recording_.program->inputs || recording_.program->inputs->uses_addresses;
  if (!recording_.program->inputs) return;
  for (const jit::ShaderInputs::Descriptor& used : recording_.program->inputs->descriptors)
    checkDescriptor(used, found);
  checkPushConstants(found);
}

void DispatchCheck::checkDescriptor(const jit::ShaderInputs::Descriptor& used, Findings& found) {
  if (used.set >= recording_.sets.size()) return;
  const Recording::Set& set = recording_.sets[used.set];
  if (set.shadow == nullptr) {
    if (std::exchange(is_unbound_[used.set], true)) return;
    return addInvalid(subject_, kSetNotBound,
                      placeOf(used, nullptr, 0) + ", but no descriptor set is bound there", found);
  }
  const DescriptorBinding* binding = set.shadow->layout().find(used.binding);
  if (binding == nullptr) return;
  if (!isInline(binding->type)) {
    for (uint32_t element = 0; element < set.shadow->countOf(*binding); ++element)
      if (used.is_any || std::ranges::binary_search(used.elements, element))
        access(used, *binding, element);
  }
  // What must be there depends on how it runs.
  if ((binding->flags & VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT) != 0) return;
  LateDescriptor descriptor{subject_, used, set.shadow};
  if ((binding->flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) != 0) {
    recording_.late.push_back(std::move(descriptor));
    return;
  }
  for (const ObjectUse& use : checkElements(descriptor, objects_, found)) recording_.use(use);
}

std::vector<ObjectUse> checkElements(const LateDescriptor& descriptor, const ObjectUses& objects,
                                     Findings& found) {
  const auto& [subject, used, shadow] = descriptor;
  std::vector<ObjectUse> uses;
  const DescriptorBinding* binding = shadow->layout().find(used.binding);
  if (binding == nullptr) return uses;
  using State = DescriptorShadow::State;
  const uint32_t count = shadow->countOf(*binding);
  // Which elements, or which bytes of a block, is not known; one at least.
  if (used.is_any || isInline(binding->type)) {
    for (uint32_t element = 0; element < count; ++element)
      if (shadow->stateOf(*binding, element) != State::NeverWritten) return uses;
    if (count != 0)
      addInvalid(subject, kInvalidDescriptor,
                 placeOf(used, nullptr, 0) + ", of which nothing was ever written", found);
    return uses;
  }
  for (const uint32_t element : used.elements) {
    if (element >= count) continue;
    const std::string place = placeOf(used, binding, element);
    const State state = shadow->stateOf(*binding, element);
    if (state == State::NeverWritten)
      addInvalid(subject, kInvalidDescriptor, place + ", which was never written", found);
    // A null descriptor may be there with its feature; without it, it was wrong to write it.
    if (state != State::Written) continue;
    const ObjectId buffer = shadow->bufferOf(*binding, element);
    if (!objects.isLive(buffer)) {
      addInvalid(subject, kInvalidDescriptor, place + ", whose buffer has been destroyed", found);
      continue;
    }
    if (objects.hasLostMemory(buffer)) {
      addInvalid(subject, kInvalidDescriptor,
                 place + ", whose " + objects.describe(VK_OBJECT_TYPE_BUFFER, buffer.handle) +
                     " lies in memory that has been freed",
                 found);
      continue;
    }
    uses.push_back({buffer, VK_OBJECT_TYPE_BUFFER,
                    std::make_shared<const std::string>(*subject.how + ", as " + place)});
  }
  return uses;
}

// Of a descriptor that was written, where the device finds it.
void DispatchCheck::access(const jit::ShaderInputs::Descriptor& used,
                           const DescriptorBinding& binding, uint32_t element) {
  const CommandBuffer::BoundSet& bound = buffer_.state.sets[used.set];
  if (bound.memory == nullptr || bound.layout == nullptr || element >= binding.count) return;
  rt::BufferDescriptor descriptor;
  std::memcpy(&descriptor, bound.memory + binding.offset + element * sizeof descriptor,
              sizeof descriptor);
  if (descriptor.address == nullptr) return;
  uint64_t begin = reinterpret_cast<uintptr_t>(descriptor.address);
  if (isDynamic(binding.type)) begin += bound.dynamic_offsets[binding.first_dynamic + element];
  recording_.accesses.push_back({.begin = begin,
                                 .end = begin + descriptor.size,
                                 .is_stored = used.is_stored,
                                 .is_whole = false,
                                 .how = nullptr,
                                 .command = buffer_.list()->commands.size()});
}

void DispatchCheck::checkPushConstants(Findings& found) const {
  const CheckedProgram& program = *recording_.program;
  uint32_t begin = UINT32_MAX, end = 0;  // of what is missing
  bool has_other_layout = false;
  for (const jit::ShaderInputs::PushConstants& used : program.inputs->push_constants) {
    bool is_any_set = false;
    uint32_t first_missing = UINT32_MAX, last_missing = 0;
    for (uint32_t byte = used.begin; byte < used.end && byte < recording_.set_with.size(); ++byte) {
      const uint8_t with = recording_.set_with[byte];
      if (with != 0 && recording_.layouts[with - 1] == program.push_ranges) {
        is_any_set = true;
        continue;
      }
      has_other_layout |= with != 0;
      first_missing = std::min(first_missing, byte);
      last_missing = byte;
    }
    if (first_missing == UINT32_MAX || (used.is_any && is_any_set)) continue;
    begin = std::min(begin, first_missing);
    end = std::max(end, last_missing + 1);
  }
  if (begin == UINT32_MAX) return;
  std::string what = beginOf(subject_) + "push constants between byte " + std::to_string(begin) +
                     " and " + std::to_string(end) + ", which ";
  what += has_other_layout
              ? "were set with a pipeline layout whose push constant ranges are not its own"
              : "were never set";
  addFinding(found, rt::FindingKind::PushConstantNotSet, kPushConstantNotSet, std::move(what),
             {*subject_.how}, program.shader);
}

}  // namespace icd
