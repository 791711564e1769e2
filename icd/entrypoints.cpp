#include "icd/entrypoints.h"

#include <algorithm>
#include <array>
#include <exception>

#include "icd/guarded.h"

namespace icd {
namespace {

using enum Extension;
constexpr Gate Core;

// In the order of the .def. The cast to PFN_name checks the prototype; the addresses are the
// linker's work, nothing runs at load time.
#define ROW(level, name, gate, ...)  \
  {#name, CommandLevel::level, gate, \
   reinterpret_cast<PFN_vkVoidFunction>(static_cast<PFN_##name>(&__VA_ARGS__::call))},
const Command kCommands[] = {
#define ENTRY(level, name, gate) ROW(level, name, gate, Guarded<&icd::name, #name>)
#define ALIAS(level, name, target, gate) ROW(level, name, gate, Guarded<&icd::target, #target>)
#define STUB(level, name, gate) ROW(level, name, gate, Refused<PFN_##name, #name>)
#include "icd/entrypoints.def"
};

constexpr std::string_view kNames[] = {
#define ENTRY(level, name, gate) #name,
#define ALIAS(level, name, target, gate) #name,
#define STUB(level, name, gate) #name,
#include "icd/entrypoints.def"
};

// Rows by name, for the binary search.
constexpr auto kOrder = [] {
  std::array<uint16_t, std::size(kNames)> order{};
  for (uint16_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [](uint16_t row) { return kNames[row]; });
  return order;
}();

static_assert(std::ranges::adjacent_find(kOrder, {}, [](uint16_t row) { return kNames[row]; }) ==
                  kOrder.end(),
              "a command has two rows");

}  // namespace

const Command* findCommand(std::string_view name) {
  auto found = std::ranges::lower_bound(kOrder, name, {}, [](uint16_t row) { return kNames[row]; });
  if (found == kOrder.end() || kNames[*found] != name) return nullptr;
  return &kCommands[*found];
}

}  // namespace icd
