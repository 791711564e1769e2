// SPDX-License-Identifier: Apache-2.0

// That compiling takes time in proportion to the shader's length: what is twice as long may take
// 2.6 times as long, where the square would be 4 times.
#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "jit/compiler.h"
#include "tests/growth/families.h"
#include "tests/support/sanitizer.h"
#include "tests/support/shader_compiler.h"
#include "tools/module_interface.h"

namespace growth {

// For messages of GoogleTest, which looks for it beside Family.
static void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

namespace {

constexpr double kMostGrowth = 2.6;
constexpr size_t kRuns = 5;
// What else runs on the machine takes caches and clock rates away, which only adds to a time: the
// least of all runs counts, and a family whose runs were all disturbed has other chances.
constexpr size_t kTries = 3;

// Of all threads of the process, since compilations have threads of their own.
double cpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

// TESSERA_TEST_GROWTH_SCALE: what the sizes are multiplied by.
uint32_t scale() {
  const char* text = std::getenv("TESSERA_TEST_GROWTH_SCALE");
  return text ? uint32_t(std::strtoul(text, nullptr, 10)) : 1;
}

// TESSERA_TEST_GROWTH_ALL: with those that are known to grow faster.
std::vector<Family> families() {
  const auto held = proportionalFamilies(), others = fasterFamilies();
  std::vector<Family> families(held.begin(), held.end());
  if (std::getenv("TESSERA_TEST_GROWTH_ALL"))
    families.insert(families.end(), others.begin(), others.end());
  return families;
}

class Growth : public testing::TestWithParam<Family> {
 protected:
  static void SetUpTestSuite() {
    const char* text = std::getenv("TESSERA_ISA");
    const std::optional<rt::Isa> isa = text ? rt::parseIsa(text) : rt::hostIsa();
    ASSERT_TRUE(isa && *isa <= rt::hostIsa()) << "not here: TESSERA_ISA=" << text;
    auto created = jit::Compiler::create({.isa = *isa});
    ASSERT_EQ(created.index(), 0u);
    compiler_ = std::move(std::get<0>(created));
  }
  static void TearDownTestSuite() { compiler_ = nullptr; }

  static std::vector<uint32_t> shader(uint32_t size) {
    return host::compileGlsl(GetParam().source(size), std::string(GetParam().name) + ".comp", {});
  }

  // CPU seconds of one compilation.
  static double compile(const std::vector<uint32_t>& words) {
    const tools::ModuleInterface interface = tools::interfaceOf(words);
    const jit::KernelRequest request{.spirv = words,
                                     .entry_point = "main",
                                     .specializations = {},
                                     .bindings = interface.bindings,
                                     .robust_storage_buffers = false,
                                     .robust_uniform_buffers = false,
                                     .name = GetParam().name};
    const double start = cpuSeconds();
    auto result = compiler_->compile(request);
    const double end = cpuSeconds();
    if (auto* error = std::get_if<jit::CompileError>(&result)) ADD_FAILURE() << error->message;
    return end - start;
  }

  static std::unique_ptr<jit::Compiler> compiler_;
};

std::unique_ptr<jit::Compiler> Growth::compiler_;

TEST_P(Growth, IsNoWorseThanInProportion) {
  if (TESSERA_THREAD_SANITIZER || TESSERA_ADDRESS_SANITIZER)
    GTEST_SKIP() << "times are those of the sanitizer";
  const uint32_t size = GetParam().size * scale();
  ASSERT_NE(size, 0u);
  const std::vector<uint32_t> shorter = shader(size), longer = shader(2 * size);
  compile(shorter);  // what is made once in a process
  constexpr double kNever = std::numeric_limits<double>::infinity();
  double growth = 0, time = kNever, longer_time = kNever;
  for (size_t attempt = 0; attempt < kTries; ++attempt) {
    // In turn, so that a slow moment of the machine is one of both.
    for (size_t run = 0; run < kRuns; ++run) {
      time = std::min(time, compile(shorter));
      longer_time = std::min(longer_time, compile(longer));
      if (HasFailure()) return;
    }
    growth = longer_time / time;
    std::printf("%u: %.3f s, %u: %.3f s, ratio %.2f\n", size, time, 2 * size, longer_time, growth);
    std::fflush(stdout);
    if (growth < kMostGrowth) return;
  }
  FAIL() << "what is twice as long takes " << growth << " times as long; " << kMostGrowth
         << " is the most";
}

INSTANTIATE_TEST_SUITE_P(Families, Growth, testing::ValuesIn(families()),
                         [](const auto& family) { return std::string(family.param.name); });

}  // namespace
}  // namespace growth
