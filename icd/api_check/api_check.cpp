// SPDX-License-Identifier: Apache-2.0

#include "icd/api_check/api_check.h"

#include <algorithm>
#include <functional>

#include "icd/buffer.h"
#include "icd/descriptor_set.h"
#include "icd/fence.h"
#include "icd/semaphore.h"

namespace icd {

namespace {

constexpr const char* kNothingTold =
    "nothing has told the program that it has ended: a fence, a semaphore or a wait for the queue";

}  // namespace

ApiCheck& apiCheckOf(VkDevice device) { return *Device::from(device)->api_check; }
ApiCheck& apiCheckOf(VkQueue queue) { return *Queue::from(queue)->device.api_check; }
ApiCheck& apiCheckOf(VkCommandBuffer buffer) {
  return *CommandBuffer::from(buffer)->device.api_check;
}

ApiCheck::ApiCheck(Device& device) : device_(device), host_watch_(*device.checker()) {}

ApiCheck::~ApiCheck() {
  for (const std::function<void()>& release : objects_.discard(true)) release();
}

void ApiCheck::discard() {
  std::vector<std::function<void()>> ready;
  {
    std::lock_guard lock(mutex_);
    ready = objects_.discard(false);
  }
  for (const std::function<void()>& release : ready) release();
}

void ApiCheck::report(const Findings& found) {
  rt::Checker& checker = *device_.checker();
  for (const rt::Finding& finding : found)
    if (checker.isNews(finding.kind, finding.what)) checker.report(finding);
}

bool ApiCheck::expectUnused(const UseRule& rule, VkObjectType type, uint64_t handle,
                            Findings& found) {
  const ObjectId id = objects_.find(type, handle);
  if (id.serial == 0 || device_.runtime.lost() || !objects_.isInUse(id)) return false;
  addFinding(found, rt::FindingKind::DestroyedInUse, rule.id,
             std::string(rule.command) + ": " + objects_.describe(type, handle) + " is in use",
             {objects_.describeUse(id), kNothingTold});
  return true;
}

bool ApiCheck::destroy(const UseRule& rule, VkObjectType type, uint64_t handle, Findings& found) {
  const bool is_in_use = expectUnused(rule, type, handle, found);
  objects_.remove(handle);
  programs_.erase(handle);
  fences_.erase(handle);
  signals_.erase(handle);
  return is_in_use;
}

void ApiCheck::addProgram(VkObjectType type, uint64_t handle, const jit::KernelRequest& request,
                          std::span<const VkPushConstantRange> ranges) {
  CheckedProgram program{.id = {},
                         .type = type,
                         .description = {},
                         .shader = request.name,
                         .inputs = request.spirv.empty() ? std::nullopt : jit::inputsOf(request),
                         .push_ranges = PushRanges(ranges)};
  std::lock_guard lock(mutex_);
  program.id = objects_.find(type, handle);
  program.description = objects_.describe(type, handle);
  programs_[handle] = std::make_shared<const CheckedProgram>(std::move(program));
}

std::shared_ptr<const CheckedProgram> ApiCheck::programOf(uint64_t handle) const {
  auto known = programs_.find(handle);
  return known != programs_.end() ? known->second : nullptr;
}

std::shared_ptr<DescriptorShadow> ApiCheck::shadowOf(VkDescriptorSet handle) {
  std::shared_ptr<DescriptorShadow>& shadow = shadows_[numberOf(handle)];
  const DescriptorSet& set = *DescriptorSet::from(handle);
  if (shadow == nullptr) shadow = std::make_shared<DescriptorShadow>(set.layout, set.last_count);
  return shadow;
}

void ApiCheck::beginRecording(VkCommandBuffer buffer) {
  objects_.find(VK_OBJECT_TYPE_COMMAND_BUFFER, numberOf(buffer));
  Recording& recording = recordingOf(buffer);
  recording = {};
  recording.number = next_recording_++;
}

void ApiCheck::use(VkCommandBuffer buffer, const char* command, VkObjectType type,
                   uint64_t handle) {
  if (handle == 0) return;
  Recording& recording = recordingOf(buffer);
  recording.use({objects_.find(type, handle), type,
                 describeCommand(command, *CommandBuffer::from(buffer), recording, objects_)});
}

void ApiCheck::accessBuffer(VkCommandBuffer handle, const char* command, VkBuffer accessed,
                            VkDeviceSize offset, VkDeviceSize size, bool is_stored) {
  if (accessed == VK_NULL_HANDLE) return;
  std::lock_guard lock(mutex_);
  const Buffer& buffer = *Buffer::from(accessed);
  Recording& recording = recordingOf(handle);
  auto how = describeCommand(command, *CommandBuffer::from(handle), recording, objects_);
  const ObjectId id = objects_.find(VK_OBJECT_TYPE_BUFFER, numberOf(accessed));
  recording.use({id, VK_OBJECT_TYPE_BUFFER, how});
  if (buffer.address == nullptr) return;
  const uint64_t begin = reinterpret_cast<uintptr_t>(buffer.address) + offset;
  recording.accesses.push_back({.begin = begin,
                                .end = begin + buffer.clip(offset, size),
                                .is_stored = is_stored,
                                .is_whole = true,
                                .how = std::move(how),
                                .command = CommandBuffer::from(handle)->list()->commands.size()});
}

void ApiCheck::execute(Recording& recording, VkCommandBuffer secondary,
                       std::shared_ptr<const std::string> how) {
  const ObjectId id = objects_.find(VK_OBJECT_TYPE_COMMAND_BUFFER, numberOf(secondary));
  const Recording& executed = recordingOf(secondary);
  recording.secondaries.push_back(
      {{id, VK_OBJECT_TYPE_COMMAND_BUFFER, std::move(how)}, executed.number});
  // What it executes in its turn.
  const auto in_turn = executed.secondaries;
  recording.secondaries.insert(recording.secondaries.end(), in_turn.begin(), in_turn.end());
  recording.tells_its_end |= executed.tells_its_end;
  recording.writes_anywhere |= executed.writes_anywhere;
}

// Returns false if what is gone holds memory that commands access.
bool ApiCheck::checkUses(const char* command, const ObjectUse& buffer,
                         std::span<const ObjectUse> uses, Findings& found) {
  bool is_usable = true;
  auto add = [&](const std::string& what, const ObjectUse& use) {
    const bool is_2 = std::string_view(command) == "vkQueueSubmit2";
    addFinding(found, rt::FindingKind::DestroyedInUse,
               is_2 ? "VUID-vkQueueSubmit2-commandBuffer-03874"
                    : "VUID-vkQueueSubmit-pCommandBuffers-00070",
               std::string(command) + ": " + objects_.describe(buffer.type, buffer.object.handle) +
                   " refers to " + what,
               {"by " + *use.how, "it is not submitted"});
    is_usable = false;
  };
  for (const ObjectUse& use : uses) {
    if (!objects_.isLive(use.object)) {
      const char* name = use.type == VK_OBJECT_TYPE_BUFFER           ? "a buffer"
                         : use.type == VK_OBJECT_TYPE_DESCRIPTOR_SET ? "a descriptor set"
                         : use.type == VK_OBJECT_TYPE_PIPELINE       ? "a pipeline"
                                                                     : "an object";
      add(std::string(name) + " that has been destroyed since", use);
    } else if (objects_.hasLostMemory(use.object)) {
      add(objects_.describe(use.type, use.object.handle) + ", whose memory has been freed", use);
    }
  }
  return is_usable;
}

bool ApiCheck::expectUsable(const char* command, VkCommandBuffer handle, Findings& found) {
  const ObjectUse buffer{objects_.find(VK_OBJECT_TYPE_COMMAND_BUFFER, numberOf(handle)),
                         VK_OBJECT_TYPE_COMMAND_BUFFER, nullptr};
  Recording& recording = recordingOf(handle);
  const bool is_2 = std::string_view(command) == "vkQueueSubmit2";
  if (!recording.may_be_pending_twice)
    expectUnused({command, is_2 ? "VUID-vkQueueSubmit2-commandBuffer-03875"
                                : "VUID-vkQueueSubmit-pCommandBuffers-00071"},
                 VK_OBJECT_TYPE_COMMAND_BUFFER, numberOf(handle), found);
  bool is_usable = checkUses(command, buffer, recording.uses, found);
  for (const auto& [secondary, number] : recording.secondaries) {
    const bool is_same =
        objects_.isLive(secondary.object) && recordings_[secondary.object.handle].number == number;
    if (is_same) {
      is_usable &= checkUses(command, secondary, recordings_[secondary.object.handle].uses, found);
      continue;
    }
    addFinding(found, rt::FindingKind::DestroyedInUse,
               is_2 ? "VUID-vkQueueSubmit2-commandBuffer-03876"
                    : "VUID-vkQueueSubmit-pCommandBuffers-00072",
               std::string(command) + ": " + objects_.describe(buffer.type, buffer.object.handle) +
                   " executes a secondary command buffer that has been freed or reset since",
               {"by " + *secondary.how});
  }
  for (const LateDescriptor& late : recording.late)
    for (const ObjectUse& use : checkElements(late, objects_, found)) recording.use(use);
  return is_usable;
}

void ApiCheck::useAll(VkCommandBuffer buffer, uint64_t number) {
  const Recording& recording = recordingOf(buffer);
  const ObjectUse own{objects_.find(VK_OBJECT_TYPE_COMMAND_BUFFER, numberOf(buffer)),
                      VK_OBJECT_TYPE_COMMAND_BUFFER,
                      std::make_shared<const std::string>("its commands")};
  objects_.use(own, number);
  for (const ObjectUse& use : recording.uses) objects_.use(use, number);
  for (const auto& [secondary, recorded] : recording.secondaries) {
    objects_.use(secondary, number);
    for (const ObjectUse& use : recordings_[secondary.object.handle].uses)
      objects_.use(use, number);
  }
}

void ApiCheck::watch(const Batch& batch, uint64_t number) {
  if (batch.buffers.empty()) return;
  HostWatch::Batch watched{
      .number = number, .recording = recordingOf(batch.buffers[0]).number, .accesses = {}};
  auto add = [&](const Recording& recording) {
    watched.writes_anywhere |= recording.writes_anywhere;
    watched.accesses.insert(watched.accesses.end(), recording.accesses.begin(),
                            recording.accesses.end());
  };
  for (VkCommandBuffer buffer : batch.buffers) {
    add(recordingOf(buffer));
    for (const auto& [secondary, recorded] : recordingOf(buffer).secondaries)
      add(recordings_[secondary.object.handle]);
  }
  for (VkSemaphore semaphore : batch.waits)
    watched.is_ordered_elsewhere |= Semaphore::from(semaphore)->timeline()->file() != nullptr;
  host_watch_.submit(std::move(watched),
                     [this](uint64_t earlier) { return objects_.hasEnded(earlier); });
}

void ApiCheck::submitted(const char* command, const Batch& batch) {
  const uint64_t number = objects_.next();
  auto how = std::make_shared<const std::string>(command);
  ObjectUses::Submission submission{.end = device_.runtime.queue().idlePoint()};
  for (VkCommandBuffer buffer : batch.buffers) {
    submission.may_be_known |= recordingOf(buffer).tells_its_end;
    useAll(buffer, number);
  }
  auto useSemaphore = [&](VkSemaphore semaphore) {
    objects_.use({objects_.find(VK_OBJECT_TYPE_SEMAPHORE, numberOf(semaphore)),
                  VK_OBJECT_TYPE_SEMAPHORE, how},
                 number);
  };
  for (VkSemaphore semaphore : batch.waits) useSemaphore(semaphore);
  for (const auto& [semaphore, value] : batch.signals) {
    useSemaphore(semaphore);
    if (!Semaphore::from(semaphore)->is_binary)
      signals_[numberOf(semaphore)].emplace_back(value, number);
    // Others may wait for it, and tell the program.
    submission.may_be_known |= Semaphore::from(semaphore)->timeline()->file() != nullptr;
  }
  if (batch.fence != VK_NULL_HANDLE) {
    objects_.use(
        {objects_.find(VK_OBJECT_TYPE_FENCE, numberOf(batch.fence)), VK_OBJECT_TYPE_FENCE, how},
        number);
    fences_[numberOf(batch.fence)] = number;
    submission.may_be_known |=
        Fence::from(batch.fence)->event().point().timeline->file() != nullptr;
  }
  objects_.submit(std::move(submission));
}

void ApiCheck::learnFence(VkFence fence) {
  auto known = fences_.find(numberOf(fence));
  if (known != fences_.end()) objects_.learn(known->second);
}

void ApiCheck::learnSemaphore(VkSemaphore semaphore, uint64_t value) {
  auto known = signals_.find(numberOf(semaphore));
  if (known == signals_.end()) return;
  std::erase_if(known->second, [&](const std::pair<uint64_t, uint64_t>& signal) {
    if (signal.first > value) return false;
    objects_.learn(signal.second);
    return true;
  });
}

}  // namespace icd
