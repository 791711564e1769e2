// SPDX-License-Identifier: Apache-2.0

#include "runtime/config.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <utility>

namespace rt {

namespace {

// One overload of parse() for each type of a row in config.def: false when the text is none of
// the variable's values.

bool parseWhole(std::string_view text, uint64_t& number, std::string_view& rest) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  rest = text.substr(size_t(end - text.data()));
  return error == std::errc();
}

template <typename Enum>
bool parseName(std::string_view text, Enum& value,
               std::initializer_list<std::pair<std::string_view, Enum>> names) {
  for (const auto& [name, named] : names) {
    if (text != name) continue;
    value = named;
    return true;
  }
  return false;
}

bool parse(std::string_view text, std::optional<Isa>& isa) {
  isa = parseIsa(text);
  return isa.has_value() || text.empty();
}

bool parse(std::string_view text, Tiles& tiles) {
  const std::optional<Tiles> parsed = parseTiles(text);
  tiles = parsed.value_or(Tiles::Hardware);
  return parsed.has_value();
}

bool parse(std::string_view text, ThreadCount& threads) {
  threads = ThreadCount::Automatic;
  if (text.empty()) return true;
  uint64_t number;
  std::string_view rest;
  if (!parseWhole(text, number, rest) || !rest.empty() || number == 0) return false;
  if (number > std::numeric_limits<uint32_t>::max()) return false;
  threads = ThreadCount(number);
  return true;
}

// With K, M, G or T behind it.
bool parseScaled(std::string_view text, uint64_t& number) {
  std::string_view rest;
  if (!parseWhole(text, number, rest)) return false;
  int shift = 0;
  if (!rest.empty() && !parseName(rest, shift,
                                  {{"K", 10},
                                   {"M", 20},
                                   {"G", 30},
                                   {"T", 40},
                                   {"k", 10},
                                   {"m", 20},
                                   {"g", 30},
                                   {"t", 40}})) {
    return false;
  }
  if (number > std::numeric_limits<uint64_t>::max() >> shift) return false;
  number <<= shift;
  return true;
}

bool parse(std::string_view text, ByteCount& bytes) {
  bytes = ByteCount::Automatic;
  if (text.empty()) return true;
  uint64_t number;
  if (!parseScaled(text, number) || number == 0) return false;
  bytes = ByteCount(number);
  return true;
}

// Separated by commas; which names there are is not known here.
bool parse(std::string_view text, std::vector<NamedNumber>& numbers) {
  numbers.clear();
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view one = text.substr(0, end);
    const size_t equals = one.find('=');
    uint64_t number;
    if (equals == 0 || equals == one.npos || !parseScaled(one.substr(equals + 1), number)) {
      numbers.clear();
      return false;
    }
    numbers.push_back({std::string(one.substr(0, equals)), number});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

bool parse(std::string_view text, Duration& duration) {
  duration = Duration::Unlimited;
  if (text.empty()) return true;
  double seconds;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  constexpr double kLeastSeconds = 1e-3, kMostSeconds = 1e9;
  if (!(seconds >= kLeastSeconds && seconds <= kMostSeconds)) return false;
  duration = Duration(seconds * 1e9);
  return true;
}

bool parse(std::string_view text, SubgroupSize& size) {
  return parseName(text, size,
                   {{"8", SubgroupSize{8}},
                    {"16", SubgroupSize{16}},
                    {"32", SubgroupSize{32}},
                    {"64", SubgroupSize{64}}});
}

bool parse(std::string_view text, Numerics& numerics) {
  return parseName(text, numerics, {{"fast", Numerics::Fast}, {"exact", Numerics::Exact}});
}

bool parse(std::string_view text, ComponentLayout& layout) {
  return parseName(text, layout,
                   {{"native", ComponentLayout::Native},
                    {"nvidia", ComponentLayout::Nvidia},
                    {"ptx", ComponentLayout::Ptx}});
}

bool parse(std::string_view text, DeviceType& type) {
  return parseName(text, type,
                   {{"cpu", DeviceType::Cpu},
                    {"integrated", DeviceType::Integrated},
                    {"discrete", DeviceType::Discrete},
                    {"virtual", DeviceType::Virtual},
                    {"other", DeviceType::Other}});
}

// Names separated by commas.
bool parse(std::string_view text, CheckSet& checks) {
  checks = {};
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, end);
    const bool is_all = name == "all";
    bool is_known = is_all;
    for (const CheckRow& row : kChecks) {
      if (!is_all && row.name != name) continue;
      checks.add(row.check);
      is_known = true;
    }
    if (!is_known) {
      checks = {};
      return false;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

bool parse(std::string_view text, CheckAction& action) {
  return parseName(text, action,
                   {{"", CheckAction::Default},
                    {"report", CheckAction::Report},
                    {"skip", CheckAction::Skip},
                    {"device-lost", CheckAction::DeviceLost}});
}

bool parse(std::string_view text, SameValue& same_value) {
  return parseName(text, same_value,
                   {{"", SameValue::Allowed}, {"same-value", SameValue::Reported}});
}

bool parse(std::string_view text, DecisionSet& decisions) {
  decisions = {};
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    Decision decision{};
    if (!parseName(text.substr(0, end), decision,
                   {{"branch", Decision::Branch},
                    {"address", Decision::Address},
                    {"atomic", Decision::Atomic},
                    {"store", Decision::Store}})) {
      decisions = {};
      return false;
    }
    decisions.add(decision);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

bool parse(std::string_view text, FindingCount& count) {
  uint64_t number;
  std::string_view rest;
  if (!parseWhole(text, number, rest) || !rest.empty() || number == 0) return false;
  if (number > std::numeric_limits<uint32_t>::max()) return false;
  count = FindingCount(number);
  return true;
}

bool parse(std::string_view text, NumberRange& range) {
  std::string_view rest;
  range = {};
  if (text.empty()) return true;
  if (!parseWhole(text, range.first, rest) || range.first == 0) return false;
  range.last = range.first;
  if (rest.empty()) return true;
  return rest[0] == '-' && parseWhole(rest.substr(1), range.last, rest) && rest.empty() &&
         range.first <= range.last;
}

bool parse(std::string_view text, ShapeCheck& check) {
  return parseName(text, check, {{"0", ShapeCheck::Off}, {"1", ShapeCheck::On}});
}

bool parse(std::string_view text, Profiling& profiling) {
  return parseName(text, profiling, {{"0", Profiling::Off}, {"1", Profiling::On}});
}

bool parse(std::string_view text, Debugging& debugging) {
  return parseName(text, debugging, {{"0", Debugging::Off}, {"1", Debugging::On}});
}

bool parse(std::string_view text, PerfSupport& perf) {
  return parseName(text, perf, {{"off", PerfSupport::Off}, {"jitdump", PerfSupport::JitDump}});
}

bool parse(std::string_view text, PrintfOutput& output) {
  return parseName(text, output,
                   {{"both", PrintfOutput::Both},
                    {"stderr", PrintfOutput::Stderr},
                    {"messenger", PrintfOutput::Messenger}});
}

bool parse(std::string_view text, LogLevel& level) {
  return parseName(text, level,
                   {{"off", LogLevel::Off},
                    {"error", LogLevel::Error},
                    {"warning", LogLevel::Warning},
                    {"info", LogLevel::Info},
                    {"remark", LogLevel::Remark}});
}

bool parse(std::string_view text, std::string& value) {
  value = text;
  return true;
}

// Empty: the one that something else decides on.
template <typename Value>
bool parse(std::string_view text, std::optional<Value>& value) {
  value.reset();
  if (text.empty()) return true;
  Value parsed{};
  if (!parse(text, parsed)) return false;
  value = parsed;
  return true;
}

// An empty variable is as one that is not set; an empty setting gives the default all the same.
template <typename Value>
void readOption(const Environment& environment, std::span<const Setting> settings,
                const ConfigOption& option, Value& value, std::vector<std::string>& problems) {
  auto setting = std::ranges::find(settings, option.field, &Setting::name);
  std::string name(option.variable);
  std::optional<std::string> text;
  if (setting != settings.end()) {
    name = "setting " + setting->name;
    text = setting->value;
  } else {
    const char* variable = environment(name.c_str());
    text = variable ? variable : "";
  }
  if (text && !text->empty() && parse(*text, value)) return;
  if (!text || !text->empty()) {
    problems.push_back(name + "=" + text.value_or("(no text)") + " is not understood; it takes " +
                       std::string(option.values));
  }
  parse(option.default_text, value);
}

constexpr ConfigOption kOptions[] = {
#define CONFIG_OPTION(type, field, variable, default_text, values, help) \
  {#field, variable, default_text, values, help},
#include "runtime/config.def"
};

std::string noSuchSetting(const Setting& setting) {
  std::string message = "there is no setting " + setting.name + ", but";
  for (const ConfigOption& option : kOptions) {
    message += " ";
    message += option.field;
  }
  return message;
}

// Letters to put in, leave out or change to make one of the other (Levenshtein).
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] != b[j] ? 1 : 0);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

constexpr std::string_view kPrefix = "TESSERA_";
constexpr std::string_view kTestsPrefix = "TESSERA_TEST_";

std::vector<std::string> warningsAbout(std::span<const std::string_view> names) {
  std::vector<std::string> warnings;
  for (std::string_view name : names) {
    if (!name.starts_with(kPrefix) || name.starts_with(kTestsPrefix)) continue;
    auto from = [&](const ConfigOption& option) { return distance(name, option.variable); };
    const ConfigOption& nearest = *std::ranges::min_element(kOptions, {}, from);
    if (nearest.variable == name) continue;
    warnings.push_back("the variable " + std::string(name) +
                       " has no effect, because there is none of this name; the nearest is " +
                       std::string(nearest.variable) + " (" + std::string(nearest.values) + ")");
  }
  return warnings;
}

}  // namespace

Config readConfig(const Environment& environment, std::span<const Setting> settings,
                  std::span<const std::string_view> names) {
  Config config;
  const ConfigOption* option = kOptions;
#define CONFIG_OPTION(type, field, variable, default_text, values, help) \
  readOption(environment, settings, *option++, config.field, config.problems);
#include "runtime/config.def"
  for (const Setting& setting : settings) {
    if (std::ranges::find(kOptions, setting.name, &ConfigOption::field) == std::end(kOptions))
      config.problems.push_back(noSuchSetting(setting));
  }
  if (config.check_action != CheckAction::Default && !config.check.has(Check::Memory) &&
      !config.check.has(Check::Assert))
    config.problems.push_back(
        "TESSERA_CHECK_ACTION says what becomes of what the memory check finds, which is not on; "
        "it "
        "takes TESSERA_CHECK=memory");
  if (config.check_race != SameValue::Allowed && !config.check.has(Check::Race))
    config.problems.push_back(
        "TESSERA_CHECK_RACE says what the race check reports, which is not on; it takes "
        "TESSERA_CHECK=race");
  if (config.check_uninit.any() && !config.check.has(Check::Uninit))
    config.problems.push_back(
        "TESSERA_CHECK_UNINIT says what the uninit check reports, which is not on; it takes "
        "TESSERA_CHECK=uninit");
  config.warnings = warningsAbout(names);
  return config;
}

Config readConfig(std::span<const Setting> settings) {
  std::vector<std::string_view> names;
  if (getauxval(AT_SECURE) == 0) {
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
      const std::string_view text = *variable;
      if (text.starts_with(kPrefix)) names.push_back(text.substr(0, text.find('=')));
    }
  }
  return readConfig([](const char* variable) -> const char* { return secure_getenv(variable); },
                    settings, names);
}

std::span<const ConfigOption> configOptions() { return kOptions; }

}  // namespace rt
