// SPDX-License-Identifier: Apache-2.0

#include "icd/api_check/checked.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "icd/guarded.h"

namespace icd {

namespace {

struct CheckedRow {
  std::string_view name;
  PFN_vkVoidFunction function;
};

const CheckedRow kCheckedRows[] = {
#define CHECKED(name)                           \
  {#name, reinterpret_cast<PFN_vkVoidFunction>( \
              static_cast<PFN_##name>(&Guarded<&checked::name, #name>::call))},
#include "icd/api_check/checked_commands.def"
};

struct AliasRow {
  std::string_view name, target;
};

constexpr AliasRow kAliases[] = {
#define ENTRY(level, name, gate)
#define ALIAS(level, name, target, gate) {#name, #target},
#define STUB(level, name, gate)
#include "icd/entrypoints.def"
};

}  // namespace

PFN_vkVoidFunction findChecked(std::string_view name) {
  auto alias = std::ranges::find(kAliases, name, &AliasRow::name);
  if (alias != std::end(kAliases)) name = alias->target;
  auto row = std::ranges::find(kCheckedRows, name, &CheckedRow::name);
  return row != std::end(kCheckedRows) ? row->function : nullptr;
}

}  // namespace icd
