// SPDX-License-Identifier: Apache-2.0

// The TESSERA_* variables, parsed. The rows, with defaults and help, are in config.def.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/check/kinds.h"
#include "runtime/cpu_features.h"
#include "runtime/log.h"

namespace rt {

enum class DeviceType : uint8_t { Cpu, Integrated, Discrete, Virtual, Other };
enum class Numerics : uint8_t { Fast, Exact };
enum class ComponentLayout : uint8_t { Native, Nvidia, Ptx };
enum class SameValue : uint8_t { Allowed, Reported };
enum class ShapeCheck : uint8_t { Off, On };
enum class Profiling : uint8_t { Off, On };
enum class Debugging : uint8_t { Off, On };
enum class PerfSupport : uint8_t { Off, JitDump };
enum class PrintfOutput : uint8_t { Both, Stderr, Messenger };

// Numbers with a meaning of their own, so that each parses in its own way.
enum class ThreadCount : uint32_t { Automatic = 0 };
enum class ByteCount : uint64_t { Automatic = 0 };
enum class Duration : uint64_t { Unlimited = 0 };  // nanoseconds
enum class SubgroupSize : uint32_t {};             // invocations
enum class FindingCount : uint32_t {};

// Both ends are in it.
struct NumberRange {
  uint64_t first = 1, last = ~uint64_t{0};
  bool contains(uint64_t number) const { return first <= number && number <= last; }
};

// NAME=NUMBER
struct NamedNumber {
  std::string name;
  uint64_t number;
};

struct Config {
#define CONFIG_OPTION(type, field, variable, default_text, values, help) type field{};
#include "runtime/config.def"
  // One line for each variable or setting that could not be understood; it has its default then.
  // Creating a device must fail with these.
  std::vector<std::string> problems;
  // One line for each variable that has no effect, because there is no such one.
  std::vector<std::string> warnings;
};

// Returns the value of a variable, or null when it is not set.
using Environment = std::function<const char*(const char* variable)>;

// What the program itself says of one of the fields, instead of the environment.
struct Setting {
  std::string name;                  // the field's
  std::optional<std::string> value;  // in the variable's own words; nothing: not a text at all
};

// `names`: of all variables that are set, to find those that are misspelt.
Config readConfig(const Environment& environment, std::span<const Setting> settings = {},
                  std::span<const std::string_view> names = {});
// From this process's environment; from nothing in a program with raised privileges.
Config readConfig(std::span<const Setting> settings = {});

// The rows, for documentation and tests.
struct ConfigOption {
  std::string_view field, variable, default_text, values, help;
};
std::span<const ConfigOption> configOptions();

}  // namespace rt
