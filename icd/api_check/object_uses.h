// SPDX-License-Identifier: Apache-2.0

// Which objects of a device there are, and which of them submissions use that may not have ended.
// Part of the check of the API (api_check.h), under its lock.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "icd/vulkan.h"
#include "runtime/timeline.h"

namespace icd {

// Handles as numbers, by which objects of all types are told apart.
template <typename Handle>
uint64_t numberOf(Handle handle) {
  return reinterpret_cast<uintptr_t>(handle);
}

// An object, and not another one that comes to have its handle later.
struct ObjectId {
  uint64_t handle = 0;
  uint64_t serial = 0;  // 0: none
  bool operator==(const ObjectId&) const = default;
};

// That a command uses an object.
struct ObjectUse {
  ObjectId object;
  VkObjectType type;
  std::shared_ptr<const std::string> how;  // "command 2, vkCmdDispatch of ..."
};

// What a program knows of the end of its submissions decides, as it does in Vulkan: that one has
// ended in fact, which nothing has told the program, is luck. All submissions are of one queue, so
// that who knows of one knows of those before it.
class ObjectUses {
 public:
  // Makes an object known that has been made since it was last looked for.
  ObjectId find(VkObjectType type, uint64_t handle);
  bool isLive(const ObjectId& id) const;
  void remove(uint64_t handle);
  void rename(VkObjectType type, uint64_t handle, std::string name);
  // "buffer 'weights'", and "buffer 0x55d0" without a name.
  std::string describe(VkObjectType type, uint64_t handle) const;

  // `inner` counts as used whenever `outer` is: memory and its buffer, a pool and its set.
  void contain(const ObjectId& outer, const ObjectId& inner);
  // Of the object that lies in another; the other, where that is gone.
  bool hasLostMemory(const ObjectId& buffer) const;

  struct Submission {
    rt::TimelinePoint end;  // what is reached when it has ended
    // The program may hear of the end by what is not seen here; then it counts that it has ended.
    bool may_be_known = false;
  };
  // The number of the next submission.
  uint64_t next() const { return first_ + submissions_.size(); }
  void submit(Submission submission) { submissions_.push_back(std::move(submission)); }
  // Of the submission `number`.
  void use(const ObjectUse& use, uint64_t number);

  // The program knows that all up to this one have ended.
  void learn(uint64_t number);
  void learnAll() { learn(next() - 1); }
  // It may know it of all so far.
  void mayLearnAll();

  bool isPending(uint64_t number) const;
  bool hasEnded(uint64_t number) const;
  // Whether a submission that uses the object is pending.
  bool isInUse(const ObjectId& id) const;
  // How, and by which submission.
  std::string describeUse(const ObjectId& id) const;

  // The last submission that uses it; 0: none.
  uint64_t lastUse(const ObjectId& id) const;
  // Is done when the submission has ended, at the next discard().
  void atEnd(uint64_t number, std::function<void()> release);
  // What is to be done now; outside of the lock.
  std::vector<std::function<void()>> discard(bool all);

 private:
  struct Object {
    VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
    uint64_t serial = 0;
    uint64_t last_use = 0;
    std::shared_ptr<const std::string> how;
    ObjectId inner;
  };

  const Object* find(const ObjectId& id) const;

  std::unordered_map<uint64_t, Object> objects_;
  std::unordered_map<uint64_t, std::string> names_;
  uint64_t next_serial_ = 1;
  std::deque<Submission> submissions_;  // that the program does not know the end of
  uint64_t first_ = 1;                  // the number of the first of them
  uint64_t may_know_ = 0;
  std::vector<std::pair<uint64_t, std::function<void()>>> releases_;
};

}  // namespace icd
