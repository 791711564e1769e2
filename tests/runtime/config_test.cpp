// SPDX-License-Identifier: Apache-2.0

#include "runtime/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

namespace rt {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Config read(const std::map<std::string, std::string>& variables) {
  return readConfig([&](const char* variable) -> const char* {
    auto found = variables.find(variable);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Config, Defaults) {
  for (const Config& config : {read({}), read({{"TESSERA_THREADS", ""}, {"TESSERA_LOG", ""}})}) {
    EXPECT_EQ(config.isa, std::nullopt);
    EXPECT_EQ(config.tiles, Tiles::Hardware);
    EXPECT_EQ(config.threads, ThreadCount::Automatic);
    EXPECT_EQ(config.memory, ByteCount::Automatic);
    EXPECT_EQ(config.subgroup_size, std::nullopt);
    EXPECT_EQ(config.numerics, Numerics::Fast);
    EXPECT_EQ(config.component_layout, std::nullopt);
    EXPECT_EQ(config.device_type, DeviceType::Cpu);
    EXPECT_EQ(config.log, LogLevel::Warning);
    EXPECT_EQ(config.printf, PrintfOutput::Both);
    EXPECT_EQ(config.dump, "");
    EXPECT_FALSE(config.check.any());
    EXPECT_EQ(config.check_action, CheckAction::Default);
    EXPECT_EQ(config.check_limit, FindingCount{100});
    EXPECT_EQ(config.check_json, "");
    EXPECT_EQ(config.check_sarif, "");
    EXPECT_EQ(config.log_file, "");
    EXPECT_THAT(config.problems, IsEmpty());
  }
}

TEST(Config, Values) {
  Config config = read({{"TESSERA_ISA", "avx2"},
                        {"TESSERA_TILES", "emulated-next"},
                        {"TESSERA_THREADS", "3"},
                        {"TESSERA_MEMORY", "2G"},
                        {"TESSERA_SUBGROUP_SIZE", "64"},
                        {"TESSERA_NUMERICS", "exact"},
                        {"TESSERA_COMPONENT_LAYOUT", "ptx"},
                        {"TESSERA_DEVICE_TYPE", "discrete"},
                        {"TESSERA_LOG", "info"},
                        {"TESSERA_PRINTF", "messenger"},
                        {"TESSERA_DUMP", "/tmp/x"}});
  EXPECT_EQ(config.isa, Isa::Avx2);
  EXPECT_EQ(config.tiles, Tiles::EmulatedNext);
  EXPECT_EQ(config.threads, ThreadCount{3});
  EXPECT_EQ(config.memory, ByteCount{uint64_t{2} << 30});
  EXPECT_EQ(config.subgroup_size, SubgroupSize{64});
  EXPECT_EQ(config.numerics, Numerics::Exact);
  EXPECT_EQ(config.component_layout, ComponentLayout::Ptx);
  EXPECT_EQ(config.device_type, DeviceType::Discrete);
  EXPECT_EQ(config.log, LogLevel::Info);
  EXPECT_EQ(config.printf, PrintfOutput::Messenger);
  EXPECT_EQ(config.dump, "/tmp/x");
  EXPECT_THAT(config.problems, IsEmpty());
}

TEST(Config, Bytes) {
  for (auto [text, bytes] : std::initializer_list<std::pair<const char*, uint64_t>>{
           {"1", 1}, {"12k", 12 << 10}, {"3M", 3 << 20}, {"1T", uint64_t{1} << 40}}) {
    EXPECT_EQ(read({{"TESSERA_MEMORY", text}}).memory, ByteCount{bytes}) << text;
  }
}

TEST(Config, Durations) {
  for (auto [text, nanoseconds] : std::initializer_list<std::pair<const char*, uint64_t>>{
           {"", 0}, {"1", 1'000'000'000}, {"0.25", 250'000'000}, {"1e3", 1'000'000'000'000}}) {
    EXPECT_EQ(read({{"TESSERA_WATCHDOG", text}}).watchdog, Duration{nanoseconds}) << text;
    EXPECT_EQ(read({{"TESSERA_COMPILE_LIMIT", text}}).compile_limit, Duration{nanoseconds}) << text;
  }
}

TEST(Config, NamedNumbers) {
  const Config config = read({{"TESSERA_LIMITS", "a=1,b[2]=3K"}});
  ASSERT_EQ(config.limits.size(), 2u);
  EXPECT_EQ(config.limits[0].name, "a");
  EXPECT_EQ(config.limits[0].number, 1u);
  EXPECT_EQ(config.limits[1].name, "b[2]");
  EXPECT_EQ(config.limits[1].number, 3072u);
  EXPECT_THAT(config.problems, IsEmpty());
}

TEST(Config, WrongValuesAreProblemsAndLeaveTheDefault) {
  const std::map<std::string, std::vector<std::string>> wrong = {
      {"TESSERA_ISA", {"avx", "AVX2", "avx512 "}},
      {"TESSERA_THREADS", {"0", "-1", "two", "4x", "99999999999"}},
      {"TESSERA_MEMORY", {"0", "-5", "G", "1GB", "99999999999999999999", "99999999T"}},
      {"TESSERA_SUBGROUP_SIZE", {"4", "33", "x"}},
      {"TESSERA_NUMERICS", {"slow"}},
      {"TESSERA_DEVICE_TYPE", {"gpu"}},
      {"TESSERA_WATCHDOG", {"0", "-1", "10s", "nan", "inf", "1e300", "1e-9"}},
      {"TESSERA_LIMITS", {"a", "a=", "=1", "a=1,,b=2", "a=-1", "a=1;b=2"}},
      {"TESSERA_LOG", {"debug"}},
      {"TESSERA_CHECK", {"memori", "Memory", " memory", "memory,x", "memory,,all", ",", ",memory"}},
      {"TESSERA_CHECK_LIMIT", {"0", "-1", "all", "1K", "99999999999"}},
  };
  for (const auto& [variable, texts] : wrong) {
    for (const std::string& text : texts) {
      Config config = read({{variable, text}});
      ASSERT_EQ(config.problems.size(), 1u) << variable << "=" << text;
      EXPECT_THAT(config.problems[0], testing::StartsWith(variable + "=" + text + " "));
      EXPECT_EQ(config.isa, std::nullopt);
      EXPECT_EQ(config.threads, ThreadCount::Automatic);
      EXPECT_EQ(config.memory, ByteCount::Automatic);
      EXPECT_EQ(config.subgroup_size, std::nullopt);
      EXPECT_THAT(config.limits, IsEmpty());
      EXPECT_EQ(config.watchdog, Duration::Unlimited);
      EXPECT_EQ(config.log, LogLevel::Warning);
      EXPECT_FALSE(config.check.any());
      EXPECT_EQ(config.check_limit, FindingCount{100});
    }
  }
}

TEST(Config, Checks) {
  CheckSet every;
  for (const CheckRow& row : kChecks) {
    every.add(row.check);
    CheckSet one;
    one.add(row.check);
    const std::string name(row.name);
    for (const std::string& text : {name, name + "," + name, name + ","}) {
      const Config config = read({{"TESSERA_CHECK", text}});
      EXPECT_EQ(config.check, one) << text;
      EXPECT_THAT(config.problems, IsEmpty());
    }
  }
  for (const char* text : {"all", "memory,all", "all,memory"})
    EXPECT_EQ(read({{"TESSERA_CHECK", text}}).check, every) << text;
}

TEST(Config, ActionsOfTheMemoryCheck) {
  for (auto [text, action] : std::initializer_list<std::pair<const char*, CheckAction>>{
           {"", CheckAction::Default},
           {"report", CheckAction::Report},
           {"skip", CheckAction::Skip},
           {"device-lost", CheckAction::DeviceLost}}) {
    const Config config = read({{"TESSERA_CHECK", "memory"}, {"TESSERA_CHECK_ACTION", text}});
    EXPECT_EQ(config.check_action, action) << text;
    EXPECT_THAT(config.problems, IsEmpty());
  }
  EXPECT_THAT(read({{"TESSERA_CHECK", "memory"}, {"TESSERA_CHECK_ACTION", "lose"}}).problems,
              ElementsAre(testing::StartsWith("TESSERA_CHECK_ACTION=lose is not understood")));
  // Also an action that is the default: somebody believes that the check is on.
  for (const char* action : {"skip", "report", "device-lost"})
    EXPECT_THAT(read({{"TESSERA_CHECK_ACTION", action}}).problems,
                ElementsAre(AllOf(HasSubstr("TESSERA_CHECK_ACTION "),
                                  HasSubstr("it takes TESSERA_CHECK=memory"))));
}

TEST(Config, StoresOfTheSameValueAreRacesIfAskedFor) {
  EXPECT_EQ(read({{"TESSERA_CHECK", "race"}}).check_race, SameValue::Allowed);
  const Config config = read({{"TESSERA_CHECK", "race"}, {"TESSERA_CHECK_RACE", "same-value"}});
  EXPECT_EQ(config.check_race, SameValue::Reported);
  EXPECT_THAT(config.problems, IsEmpty());
  EXPECT_THAT(read({{"TESSERA_CHECK_RACE", "same-value"}}).problems,
              ElementsAre(HasSubstr("it takes TESSERA_CHECK=race")));
}

TEST(Config, DecisionsOfTheUninitCheck) {
  EXPECT_FALSE(read({{"TESSERA_CHECK", "uninit"}}).check_uninit.any());  // all are meant
  const Config config =
      read({{"TESSERA_CHECK", "uninit"}, {"TESSERA_CHECK_UNINIT", "store,branch"}});
  EXPECT_TRUE(config.check_uninit.has(Decision::Store));
  EXPECT_TRUE(config.check_uninit.has(Decision::Branch));
  EXPECT_FALSE(config.check_uninit.has(Decision::Address));
  EXPECT_FALSE(config.check_uninit.has(Decision::Atomic));
  EXPECT_THAT(config.problems, IsEmpty());
  EXPECT_THAT(
      read({{"TESSERA_CHECK", "uninit"}, {"TESSERA_CHECK_UNINIT", "store,load"}}).problems,
      ElementsAre(testing::StartsWith("TESSERA_CHECK_UNINIT=store,load is not understood")));
  for (const char* checks : {"", "memory"})
    EXPECT_THAT(read({{"TESSERA_CHECK", checks}, {"TESSERA_CHECK_UNINIT", "store"}}).problems,
                ElementsAre(AllOf(HasSubstr("TESSERA_CHECK_UNINIT "),
                                  HasSubstr("it takes TESSERA_CHECK=uninit"))));
}

TEST(Config, SettingsWinOverVariables) {
  auto environment = [](const char* variable) -> const char* {
    return std::string_view(variable) == "TESSERA_THREADS" ? "many" : "";
  };
  const Setting settings[] = {{"threads", "5"}, {"log", ""}, {"dump", "here"}};
  Config config = readConfig(environment, settings);
  EXPECT_EQ(config.threads, ThreadCount{5});
  EXPECT_EQ(config.log, LogLevel::Warning);
  EXPECT_EQ(config.dump, "here");
  EXPECT_THAT(config.problems, IsEmpty());
}

TEST(Config, SettingsThatAreNotUnderstood) {
  const Setting settings[] = {{"threads", "many"}, {"dump", std::nullopt}, {"thread", "5"}};
  Config config = readConfig([](const char*) { return nullptr; }, settings);
  EXPECT_THAT(
      config.problems,
      ElementsAre(testing::StartsWith("setting threads=many is not understood"),
                  testing::StartsWith("setting dump=(no text) is not understood"),
                  testing::StartsWith("there is no setting thread, but isa tiles threads ")));
  EXPECT_EQ(config.threads, ThreadCount::Automatic);
}

TEST(Config, MisspeltVariablesAreNamedWithTheNearest) {
  const std::string_view names[] = {
      "TESSERA_THREAD", "TESSERA_THREADS", "TESSERA_DEVCE_TYPE", "TESSERA_TEST_SEED", "PATH",
      "TESSERA_CAHCE",  "TESSERA_"};
  const Config config = readConfig([](const char*) { return nullptr; }, {}, names);
  EXPECT_THAT(config.warnings,
              ElementsAre(AllOf(HasSubstr("TESSERA_THREAD "), HasSubstr("is TESSERA_THREADS ")),
                          AllOf(HasSubstr("TESSERA_DEVCE_TYPE "),
                                HasSubstr("is TESSERA_DEVICE_TYPE (cpu, integrated")),
                          AllOf(HasSubstr("TESSERA_CAHCE "), HasSubstr("is TESSERA_CACHE ")),
                          HasSubstr("TESSERA_ has no effect")));
  EXPECT_THAT(config.problems, IsEmpty());
}

TEST(Config, TheProcesssVariablesAreLookedThrough) {
  setenv("TESSERA_WATCHDOGS", "1", 1);
  EXPECT_THAT(readConfig().warnings, Contains(HasSubstr("TESSERA_WATCHDOGS")));
  unsetenv("TESSERA_WATCHDOGS");
  EXPECT_THAT(readConfig().warnings, Not(Contains(HasSubstr("TESSERA_WATCHDOGS"))));
}

TEST(Config, RowsAreWellFormed) {
  std::set<std::string_view> names;
  for (const ConfigOption& option : configOptions()) {
    std::string field(option.field);
    for (char& letter : field) letter = static_cast<char>(std::toupper(letter));
    EXPECT_EQ(option.variable, "TESSERA_" + field);
    EXPECT_TRUE(names.insert(option.variable).second);
    EXPECT_TRUE(option.help.ends_with("."));
    // A default is one of the variable's values.
    EXPECT_THAT(read({{std::string(option.variable), std::string(option.default_text)}}).problems,
                IsEmpty());
  }
}

}  // namespace
}  // namespace rt
