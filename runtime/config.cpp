#include "runtime/config.h"

#include <cstdlib>

#include <charconv>
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

bool parse(std::string_view text, ByteCount& bytes) {
  bytes = ByteCount::Automatic;
  if (text.empty()) return true;
  uint64_t number;
  std::string_view rest;
  if (!parseWhole(text, number, rest) || number == 0) return false;
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
  bytes = ByteCount(number << shift);
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

bool parse(std::string_view text, DeviceType& type) {
  return parseName(text, type,
                   {{"cpu", DeviceType::Cpu},
                    {"integrated", DeviceType::Integrated},
                    {"discrete", DeviceType::Discrete},
                    {"virtual", DeviceType::Virtual},
                    {"other", DeviceType::Other}});
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
                    {"info", LogLevel::Info}});
}

bool parse(std::string_view text, std::string& value) {
  value = text;
  return true;
}

// An empty variable is as one that is not set.
template <typename Value>
void readOption(const Environment& environment, const char* variable, const char* default_text,
                const char* values, Value& value, std::vector<std::string>& problems) {
  const char* text = environment(variable);
  if (text && *text) {
    if (parse(text, value)) return;
    problems.push_back(std::string(variable) + "=" + text + " is not understood; it takes " +
                       values);
  }
  parse(default_text, value);
}

constexpr ConfigOption kOptions[] = {
#define CONFIG_OPTION(type, field, variable, default_text, values, help) \
  {variable, default_text, values, help},
#include "runtime/config.def"
};

}  // namespace

Config readConfig(const Environment& environment) {
  Config config;
#define CONFIG_OPTION(type, field, variable, default_text, values, help) \
  readOption(environment, variable, default_text, values, config.field, config.problems);
#include "runtime/config.def"
  return config;
}

Config readConfig() {
  return readConfig([](const char* variable) -> const char* { return secure_getenv(variable); });
}

std::span<const ConfigOption> configOptions() { return kOptions; }

}  // namespace rt
