// SPDX-License-Identifier: Apache-2.0

#include "icd/api_check/object_uses.h"

#include <algorithm>

#include "runtime/clock.h"
#include "runtime/quantity.h"

namespace icd {

namespace {

const char* nameOf(VkObjectType type) {
  switch (type) {
    case VK_OBJECT_TYPE_BUFFER:
      return "buffer";
    case VK_OBJECT_TYPE_DEVICE_MEMORY:
      return "memory";
    case VK_OBJECT_TYPE_PIPELINE:
      return "pipeline";
    case VK_OBJECT_TYPE_SHADER_EXT:
      return "shader";
    case VK_OBJECT_TYPE_DESCRIPTOR_POOL:
      return "descriptor pool";
    case VK_OBJECT_TYPE_DESCRIPTOR_SET:
      return "descriptor set";
    case VK_OBJECT_TYPE_COMMAND_POOL:
      return "command pool";
    case VK_OBJECT_TYPE_COMMAND_BUFFER:
      return "command buffer";
    case VK_OBJECT_TYPE_FENCE:
      return "fence";
    case VK_OBJECT_TYPE_SEMAPHORE:
      return "semaphore";
    case VK_OBJECT_TYPE_EVENT:
      return "event";
    case VK_OBJECT_TYPE_QUERY_POOL:
      return "query pool";
    default:
      return "object";
  }
}

}  // namespace

ObjectId ObjectUses::find(VkObjectType type, uint64_t handle) {
  if (handle == 0) return {};
  Object& object = objects_[handle];
  if (object.serial == 0) {
    object.serial = next_serial_++;
    object.type = type;
  }
  return {handle, object.serial};
}

const ObjectUses::Object* ObjectUses::find(const ObjectId& id) const {
  auto found = objects_.find(id.handle);
  return found != objects_.end() && found->second.serial == id.serial ? &found->second : nullptr;
}

bool ObjectUses::isLive(const ObjectId& id) const { return find(id) != nullptr; }

void ObjectUses::remove(uint64_t handle) {
  objects_.erase(handle);
  names_.erase(handle);
}

void ObjectUses::rename(VkObjectType type, uint64_t handle, std::string name) {
  find(type, handle);
  if (name.empty()) {
    names_.erase(handle);
  } else {
    names_[handle] = std::move(name);
  }
}

std::string ObjectUses::describe(VkObjectType type, uint64_t handle) const {
  auto named = names_.find(handle);
  if (named != names_.end()) return std::string(nameOf(type)) + " '" + named->second + "'";
  return nameOf(type) + std::string(" ") + rt::describeAddress(handle);
}

void ObjectUses::contain(const ObjectId& outer, const ObjectId& inner) {
  if (auto found = objects_.find(outer.handle); found != objects_.end())
    found->second.inner = inner;
}

bool ObjectUses::hasLostMemory(const ObjectId& buffer) const {
  const Object* object = find(buffer);
  return object != nullptr && object->inner.serial != 0 && !isLive(object->inner);
}

void ObjectUses::use(const ObjectUse& use, uint64_t number) {
  for (ObjectId id = use.object; find(id) != nullptr;) {
    Object& object = objects_[id.handle];
    object.last_use = number;
    object.how = use.how;
    id = object.inner;
  }
}

void ObjectUses::learn(uint64_t number) {
  while (first_ <= number && !submissions_.empty()) {
    submissions_.pop_front();
    ++first_;
  }
}

void ObjectUses::mayLearnAll() { may_know_ = next() - 1; }

bool ObjectUses::hasEnded(uint64_t number) const {
  if (number < first_) return true;
  if (number >= next()) return false;
  const rt::TimelinePoint& end = submissions_[number - first_].end;
  return end.timeline == nullptr || end.timeline->value() >= end.value;
}

bool ObjectUses::isPending(uint64_t number) const {
  if (number < first_ || number >= next()) return false;
  const bool may_be_known =
      number <= may_know_ ||
      std::any_of(submissions_.begin() + static_cast<std::ptrdiff_t>(number - first_),
                  submissions_.end(), [](const Submission& s) { return s.may_be_known; });
  if (!may_be_known) return true;
  // Who hears of the end may be a little faster than the queue's count of it.
  constexpr uint64_t kPatience = 20'000'000;  // nanoseconds
  const rt::TimelinePoint& end = submissions_[number - first_].end;
  return end.timeline != nullptr &&
         rt::wait({&end, 1}, rt::WaitMode::All, rt::deadlineAfter(kPatience)) !=
             rt::WaitResult::Reached;
}

uint64_t ObjectUses::lastUse(const ObjectId& id) const {
  const Object* object = find(id);
  return object != nullptr ? object->last_use : 0;
}

bool ObjectUses::isInUse(const ObjectId& id) const {
  const uint64_t number = lastUse(id);
  return number != 0 && isPending(number);
}

std::string ObjectUses::describeUse(const ObjectId& id) const {
  const Object* object = find(id);
  if (object == nullptr) return "";
  std::string text = "used by submission " + std::to_string(object->last_use);
  if (object->how != nullptr) text += ": " + *object->how;
  return text;
}

void ObjectUses::atEnd(uint64_t number, std::function<void()> release) {
  releases_.emplace_back(number, std::move(release));
}

std::vector<std::function<void()>> ObjectUses::discard(bool all) {
  std::vector<std::function<void()>> ready;
  std::erase_if(releases_, [&](auto& release) {
    if (!all && !hasEnded(release.first)) return false;
    ready.push_back(std::move(release.second));
    return true;
  });
  return ready;
}

}  // namespace icd
