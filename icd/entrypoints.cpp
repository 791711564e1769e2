// SPDX-License-Identifier: Apache-2.0

#include "icd/entrypoints.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "icd/guarded.h"

namespace icd {
namespace {

// NOLINTBEGIN(readability-identifier-naming): as the table has them, beside names of extensions
using enum Extension;
constexpr Gate Core_1_0(VK_API_VERSION_1_0), Core_1_1(VK_API_VERSION_1_1),
    Core_1_2(VK_API_VERSION_1_2), Core_1_3(VK_API_VERSION_1_3);
// NOLINTEND(readability-identifier-naming)

// Both in the order of the .def. They are two, because only of plain pointers is it sure that the
// linker fills them in and nothing runs at load time. The cast to PFN_name checks the prototype.
#define ROW(name, ...) \
  reinterpret_cast<PFN_vkVoidFunction>(static_cast<PFN_##name>(&__VA_ARGS__::call)),
const PFN_vkVoidFunction kFunctions[] = {
#define ENTRY(level, name, gate) ROW(name, Guarded<&icd::name, #name>)
#define ALIAS(level, name, target, gate) ROW(name, Guarded<&icd::target, #target>)
#define STUB(level, name, gate) ROW(name, Refused<PFN_##name, #name>)
#include "icd/entrypoints.def"
};
#undef ROW

struct Row {
  std::string_view name;
  CommandLevel level;
  Gate gate;
};

constexpr Row kRows[] = {
#define ENTRY(level, name, gate) {#name, CommandLevel::level, gate},
#define ALIAS(level, name, target, gate) {#name, CommandLevel::level, gate},
#define STUB(level, name, gate) {#name, CommandLevel::level, gate},
#include "icd/entrypoints.def"
};

constexpr std::string_view nameOf(uint16_t row) { return kRows[row].name; }

// Rows by name, for the binary search.
constexpr auto kOrder = [] {
  std::array<uint16_t, std::size(kRows)> order{};
  std::iota(order.begin(), order.end(), uint16_t{0});
  std::ranges::sort(order, {}, nameOf);
  return order;
}();

static_assert(std::ranges::adjacent_find(kOrder, {}, nameOf) == kOrder.end(),
              "a command has two rows");

}  // namespace

std::optional<Command> findCommand(std::string_view name) {
  auto found = std::ranges::lower_bound(kOrder, name, {}, nameOf);
  if (found == kOrder.end() || nameOf(*found) != name) return std::nullopt;
  const Row& row = kRows[*found];
  return Command{.level = row.level, .gate = row.gate, .function = kFunctions[*found]};
}

}  // namespace icd
