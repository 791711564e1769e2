// SPDX-License-Identifier: Apache-2.0

#include "icd/shaped_limits.h"

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

namespace icd {
namespace {

// One change on its way to its limit.
class Change {
 public:
  explicit Change(const rt::NamedNumber& change) : change_(change) {}

  template <std::unsigned_integral Limit>
  void most(std::string_view name, Limit own, Limit& limit) {
    if (!isFor(name)) return;
    if (change_.number == 0 || change_.number > own) return refuse("is from 1 to ", own);
    limit = static_cast<Limit>(change_.number);
  }

  void mostEach(std::string_view name, const uint32_t (&own)[3], uint32_t (&limits)[3]) {
    constexpr const char* kIndices[] = {"[0]", "[1]", "[2]"};
    for (int i = 0; i < 3; ++i) most(std::string(name) + kIndices[i], own[i], limits[i]);
  }

  void alignment(std::string_view name, VkDeviceSize own, VkDeviceSize& limit) {
    if (!isFor(name)) return;
    if (!std::has_single_bit(change_.number) || change_.number < own ||
        change_.number > kMostAlignment)
      return refuse("is a power of two, at most 256, and from ", own);
    limit = change_.number;
  }

  // Why it was not made; nothing when it was.
  std::optional<std::string> problem() const {
    if (!found_) return "TESSERA_LIMITS: this device has no limit " + change_.name + " to change";
    return problem_;
  }

 private:
  // Specification, "Limits": what these alignments are at most.
  static constexpr VkDeviceSize kMostAlignment = 256;

  bool isFor(std::string_view name) {
    const bool result = change_.name == name;
    found_ |= result;
    return result;
  }

  void refuse(const char* range, uint64_t limit) {
    problem_ = "TESSERA_LIMITS: " + change_.name + "=" + std::to_string(change_.number) +
               " is not possible; it " + range + std::to_string(limit);
  }

  const rt::NamedNumber& change_;
  bool found_ = false;
  std::optional<std::string> problem_;
};

}  // namespace

Properties shapeLimits(const Properties& own, Properties properties,
                       std::span<const rt::NamedNumber> changes,
                       std::vector<std::string>& problems) {
  for (const rt::NamedNumber& number : changes) {
    Change change(number);
#define MOST(structure, member) \
  change.most(#member, own.structure.member, properties.structure.member);
#define MOST_EACH(structure, member) \
  change.mostEach(#member, own.structure.member, properties.structure.member);
#define ALIGNMENT(structure, member) \
  change.alignment(#member, own.structure.member, properties.structure.member);
#include "icd/shaped_limits.def"
    if (auto problem = change.problem()) problems.push_back(std::move(*problem));
  }
  return properties;
}

}  // namespace icd
