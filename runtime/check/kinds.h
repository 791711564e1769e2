// SPDX-License-Identifier: Apache-2.0

// Checks of shaders, and the kinds of findings (kinds.def).
#pragma once

#include <cstdint>
#include <string_view>

namespace rt {

enum class Check : uint8_t {
#define CHECK(Name, name) Name,
#define FINDING(Check, Name, name, id, help)
#include "runtime/check/kinds.def"
};

enum class FindingKind : uint32_t {
#define CHECK(Name, name)
#define FINDING(Check, Name, name, id, help) Name,
#include "runtime/check/kinds.def"
};

// Which checks are on.
class CheckSet {
 public:
  constexpr CheckSet() = default;
  constexpr explicit CheckSet(uint32_t bits) : bits_(bits) {}
  constexpr bool has(Check check) const { return (bits_ >> static_cast<uint32_t>(check) & 1) != 0; }
  constexpr bool any() const { return bits_ != 0; }
  constexpr void add(Check check) { bits_ |= 1u << static_cast<uint32_t>(check); }
  constexpr uint32_t bits() const { return bits_; }
  bool operator==(const CheckSet&) const = default;

 private:
  uint32_t bits_ = 0;
};

// What becomes of an access that the memory check has found.
enum class CheckAction : uint8_t {
  Default,  // Skip, and nobody has asked for it
  Report,   // an access to a buffer is carried out as far as it stays in one allocation of memory
  Skip,     // a load gives 0, a store is dropped
  DeviceLost,  // that, and the dispatch ends at its next workgroup, and the device is lost
};

// What an undefined value can decide, each a kind of finding of its check.
enum class Decision : uint8_t { Branch, Address, Atomic, Store };

// Which decisions are looked at.
class DecisionSet {
 public:
  constexpr DecisionSet() = default;  // none
  static constexpr DecisionSet all() {
    DecisionSet set;
    set.bits_ = 0xf;
    return set;
  }
  constexpr bool has(Decision d) const { return (bits_ >> static_cast<uint32_t>(d) & 1) != 0; }
  constexpr bool any() const { return bits_ != 0; }
  constexpr void add(Decision decision) { bits_ |= 1u << static_cast<uint32_t>(decision); }
  constexpr uint32_t bits() const { return bits_; }
  bool operator==(const DecisionSet&) const = default;

 private:
  uint32_t bits_ = 0;
};

struct CheckRow {
  Check check;
  std::string_view name;
};

struct FindingRow {
  Check check;
  std::string_view name, id, help;
};

inline constexpr CheckRow kChecks[] = {
#define CHECK(Name, name) {Check::Name, name},
#define FINDING(Check, Name, name, id, help)
#include "runtime/check/kinds.def"
};

// By FindingKind.
inline constexpr FindingRow kFindings[] = {
#define CHECK(Name, name)
#define FINDING(check, Name, name, id, help) {Check::check, name, id, help},
#include "runtime/check/kinds.def"
};

constexpr const FindingRow& rowOf(FindingKind kind) {
  return kFindings[static_cast<uint32_t>(kind)];
}
constexpr std::string_view nameOf(Check check) {
  return kChecks[static_cast<uint32_t>(check)].name;
}

}  // namespace rt
