// SPDX-License-Identifier: Apache-2.0

// The check of the API (TESSERA_CHECK=api): what a program does with a device's objects that its
// commands do not allow, as validation layers find it. It stands between the program and the
// driver: with the check on, names resolve to the commands of icd::checked, which look and then
// call those of icd; without it nothing here runs.
//
// Rules and message ids are those of the Vulkan Specification, "Valid Usage".
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "icd/api_check/host_watch.h"
#include "icd/api_check/object_uses.h"
#include "icd/api_check/recording.h"
#include "icd/device.h"
#include "icd/pipeline_request.h"

namespace icd {

// A rule of a command that an object must not be in use.
struct UseRule {
  const char* command;
  const char* id;  // of the message
};

// One per device that checks it. What takes no lock of its own is for the body of with().
class ApiCheck {
 public:
  explicit ApiCheck(Device& device);
  ~ApiCheck();

  // Runs body(findings) under the lock, and then reports what it has found.
  template <typename Body>
  void with(Body body) {
    Findings found;
    {
      std::lock_guard lock(mutex_);
      body(found);
    }
    report(found);
  }

  ObjectUses& objects() { return objects_; }
  HostWatch& hostWatch() { return host_watch_; }  // which has a lock of its own

  // Reports an object that is in use. Returns whether it is.
  bool expectUnused(const UseRule& rule, VkObjectType type, uint64_t handle, Findings& found);
  // The same for one that goes.
  bool destroy(const UseRule& rule, VkObjectType type, uint64_t handle, Findings& found);

  // With a lock of its own, as the next one that says so.
  void addProgram(VkObjectType type, uint64_t handle, const jit::KernelRequest& request,
                  std::span<const VkPushConstantRange> ranges);
  std::shared_ptr<const CheckedProgram> programOf(uint64_t handle) const;

  // Of the set's descriptors; made when first asked for.
  std::shared_ptr<DescriptorShadow> shadowOf(VkDescriptorSet set);
  void forgetSet(uint64_t handle) { shadows_.erase(handle); }

  Recording& recordingOf(VkCommandBuffer buffer) { return recordings_[numberOf(buffer)]; }
  void beginRecording(VkCommandBuffer buffer);
  void forgetRecording(VkCommandBuffer buffer) { recordings_.erase(numberOf(buffer)); }
  // That the command which comes next uses an object.
  void use(VkCommandBuffer buffer, const char* command, VkObjectType type, uint64_t handle);

  // That it accesses bytes of a buffer, all of them. With a lock of its own.
  void accessBuffer(VkCommandBuffer buffer, const char* command, VkBuffer accessed,
                    VkDeviceSize offset, VkDeviceSize size, bool is_stored);
  void execute(Recording& recording, VkCommandBuffer secondary,
               std::shared_ptr<const std::string> how);

  // What a submission means for its objects.
  struct Batch {
    std::vector<VkCommandBuffer> buffers;
    std::vector<VkSemaphore> waits;
    std::vector<std::pair<VkSemaphore, uint64_t>> signals;  // with their values
    VkFence fence = VK_NULL_HANDLE;
  };
  // Reports what is wrong with a command buffer of a submission to come. Returns false if it cannot
  // be run, as what it uses is gone.
  bool expectUsable(const char* command, VkCommandBuffer buffer, Findings& found);
  // The queue is about to get it, as the submission `number`.
  void watch(const Batch& batch, uint64_t number);
  // The queue has it.
  void submitted(const char* command, const Batch& batch);

  void learnFence(VkFence fence);
  void learnSemaphore(VkSemaphore semaphore, uint64_t value);

  // Gives back what was put off until its use has ended. With a lock of its own.
  void discard();

 private:
  void report(const Findings& found);
  bool checkUses(const char* command, const ObjectUse& buffer, std::span<const ObjectUse> uses,
                 Findings& found);
  void useAll(VkCommandBuffer buffer, uint64_t number);

  Device& device_;
  HostWatch host_watch_;
  std::mutex mutex_;  // over all that follows
  ObjectUses objects_;
  std::unordered_map<uint64_t, std::shared_ptr<const CheckedProgram>> programs_;
  std::unordered_map<uint64_t, std::shared_ptr<DescriptorShadow>> shadows_;
  std::unordered_map<uint64_t, Recording> recordings_;
  uint64_t next_recording_ = 1;
  std::unordered_map<uint64_t, uint64_t> fences_;  // the submissions that they are signalled by
  // By semaphore: the values, and the submissions that they are signalled by.
  std::unordered_map<uint64_t, std::vector<std::pair<uint64_t, uint64_t>>> signals_;
};

// The check of the device; there is one wherever a checked command runs.
ApiCheck& apiCheckOf(VkDevice device);
ApiCheck& apiCheckOf(VkQueue queue);
ApiCheck& apiCheckOf(VkCommandBuffer buffer);

}  // namespace icd
