// SPDX-License-Identifier: Apache-2.0

// Every kernel file of this folder, or of another, each of its variants a test. The process runs
// them on one device of one instruction set: CTest starts it once for each (TESSERA_ISA).
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "runtime/check/kinds.h"
#include "runtime/checksum.h"
#include "runtime/cpu_features.h"
#include "tests/kernels/repeatable.h"
#include "tests/support/kernel_difference.h"
#include "tests/support/kernel_runner.h"
#include "tests/support/sanitizer.h"
#include "tests/support/validation.h"

namespace kernels {
namespace {

// The device of all tests. It ends with the tests, while layers still have what they need.
class TestedDevice : public testing::Environment {
 public:
  // Null with the reason where there is none.
  KernelDevice* get(std::string& reason) {
    if (!instance_ && failure_.empty()) make();
    reason = failure_;
    return device_.get();
  }
  void TearDown() override {
    device_.reset();
    instance_.reset();
  }

 private:
  void make() {
    try {
      instance_ = std::make_unique<host::Instance>();
      device_ = std::make_unique<KernelDevice>(*instance_, instance_->choose());
      device_->device(false);
    } catch (const std::exception& error) {
      failure_ = error.what();
      if (!instance_) return;
      for (const std::string& message : instance_->takeMessages()) failure_ += "\n" + message;
      device_.reset();
    }
  }

  std::unique_ptr<host::Instance> instance_;
  std::unique_ptr<KernelDevice> device_;
  std::string failure_;
};

TestedDevice* tested_device;  // GoogleTest's

// Processor seconds that a pipeline may take to make. A machine that has other work to do makes
// them longer, so what has taken more is run again.
constexpr double kMostCompileSeconds = 1.0;
constexpr int kCompileTries = 3;

// Whether the environment turns this check on for all files, separated by commas as it is there.
bool isCheckedEverywhere(std::string_view check) {
  const char* checks = std::getenv("TESSERA_CHECK");
  if (checks == nullptr) return false;
  const std::string list = "," + std::string(checks) + ",";
  return list.find("," + std::string(check) + ",") != std::string::npos ||
         list.find(",all,") != std::string::npos;
}

// The bound is for a kernel as clients get it, and for one with one check. Each check adds code of
// its own to what the others have added, so those that are turned on together have as much time as
// they would have one by one.
double mostCompileSeconds() {
  const auto checks = std::ranges::count_if(rt::kChecks, isCheckedEverywhere, &rt::CheckRow::name);
  return kMostCompileSeconds * static_cast<double>(std::max<ptrdiff_t>(checks, 1));
}

// Files of which a variant takes longer on the reference or AVX2 today, or more than half as long,
// so that a busy machine doubles it: up to six seconds. TESSERA_TEST_COMPILE_ALL=1 holds them, too.
constexpr std::string_view kSlowBelowAvx512[] = {
    "matrix/workgroup_elements",    // reference: masks of 1,024 invocations, bit by bit
    "matrix/workgroup_reduce",      // reference: half as long
    "arithmetic/long_vectors",      // AVX2: half as long with subgroups of 64
    "memory/moved_bits",            // AVX2: half as long
    "subgroup/clustered",           // AVX2: subgroups of 64, nearly as long with the check of races
    "subgroup/wide_stream",         // reference: masks of 256 invocations
    "subgroup/float_arithmetic",    // subgroups of 64, f16 and f64; half as long on AVX2
    "subgroup/integer_arithmetic",  // likewise, 64 bits
    "subgroup/repeated_arithmetic",  // likewise
};

// Whether such times say something about the driver, and must be kept.
bool compileTimeCounts([[maybe_unused]] const std::filesystem::path& file) {
#ifdef NDEBUG
  if (TESSERA_ADDRESS_SANITIZER || TESSERA_THREAD_SANITIZER || test::underValidation()) {
    return false;
  }
  const std::string name = (file.parent_path().filename() / file.stem()).generic_string();
  if (std::getenv("TESSERA_TEST_COMPILE_ALL") != nullptr) return true;
  const char* isa = std::getenv("TESSERA_ISA");
  const bool below = isa != nullptr
                         ? isa == std::string_view("reference") || isa == std::string_view("avx2")
                         : rt::hostIsa() < rt::Isa::Avx512;
  return !below || std::ranges::find(kSlowBelowAvx512, name) == std::end(kSlowBelowAvx512);
#else
  return false;
#endif
}

// Files that break a rule which a check is about, on purpose.
struct RuleBreaker {
  std::string_view check, file, variants, reason;
};
constexpr RuleBreaker kRuleBreakers[] = {
#define BREAKS(check, file, variants, reason) {check, file, variants, reason},
#include "tests/kernels/rule_breakers.def"
};

// Why a check that is turned on for all files would rightly find something; empty if it would not.
std::string brokenRule(const KernelSource& source) {
  const std::string file =
      (source.path.parent_path().filename() / source.path.stem()).generic_string();
  const std::string variant = "_" + source.variant + "_";
  for (const RuleBreaker& breaker : kRuleBreakers) {
    if (breaker.file == file && variant.find(breaker.variants) != std::string::npos &&
        isCheckedEverywhere(breaker.check)) {
      return "breaks a rule of " + std::string(breaker.check) + ": " + std::string(breaker.reason);
    }
  }
  return {};
}

// What the tests do with each kernel.
enum class Mode : uint8_t {
  Check,       // it computes what its file says
  Robust,      // the same, with robust buffer access, which changes the code of every access
  Repeatable,  // it computes the same bits with other numbers of threads
};

class KernelTest : public testing::Test {
 public:
  KernelTest(KernelSource source, bool robust) : source_(std::move(source)), robust_(robust) {}

  void TestBody() override {
    std::string reason;
    KernelDevice* device = tested_device->get(reason);
    ASSERT_NE(device, nullptr) << reason;
    if (const std::string broken = brokenRule(source_); !broken.empty()) GTEST_SKIP() << broken;
    RunReport report;
    try {
      Kernel kernel = parseKernel(source_);
      if (kernel.refusal || !kernel.compile.validate) {
        SKIP_UNDER_VALIDATION("the module breaks a rule");
      }
      kernel.robust = kernel.robust || robust_;
      report = runKernel(*device, kernel);
      // Only to compile it: of what a check has found already it says nothing again.
      for (int k = 1; k < kCompileTries && takesLong(report); ++k)
        if (const double again = runKernel(*device, kernel).compile; again > 0)
          report.compile = std::min(report.compile, again);
    } catch (const FormatError& error) {
      FAIL() << error.what();
    }
    if (report.verdict == Verdict::Skipped) GTEST_SKIP() << report.detail;
    if (report.verdict == Verdict::Failed) FAIL() << report.detail;
    RecordProperty("compile_seconds", std::to_string(report.compile));
    EXPECT_FALSE(takesLong(report))
        << "takes " << report.compile << " s of processor time to compile, each of "
        << kCompileTries << " times; " << mostCompileSeconds() << " is the most";
  }

 private:
  bool takesLong(const RunReport& report) const {
    return compileTimeCounts(source_.path) && report.verdict == Verdict::Passed &&
           report.compile > mostCompileSeconds();
  }

  KernelSource source_;
  bool robust_;
};

class RepeatableTest : public testing::Test {
 public:
  explicit RepeatableTest(KernelSource source) : source_(std::move(source)) {}

  void TestBody() override {
    std::string reason;
    KernelDevice* device = tested_device->get(reason);
    ASSERT_NE(device, nullptr) << reason;
    try {
      Kernel kernel = parseKernel(source_);
      if (kernel.refusal) GTEST_SKIP() << "nothing runs";
      if (!isRepeatable(compileKernel(kernel))) GTEST_SKIP() << "atomics, addresses or the clock";
      Kernel on_one_thread = kernel;
      on_one_thread.settings.emplace_back("threads", "1");
      const RunReport once = runKernel(*device, on_one_thread);
      if (once.verdict == Verdict::Skipped) GTEST_SKIP() << once.detail;
      ASSERT_EQ(once.verdict, Verdict::Passed) << once.detail;
      const RunReport again = runKernel(*device, kernel);
      ASSERT_EQ(again.verdict, Verdict::Passed) << again.detail;
      EXPECT_TRUE(again.after == once.after) << "other bits on all threads than on one";
    } catch (const std::exception& error) {
      FAIL() << error.what();
    }
  }

 private:
  KernelSource source_;
};

// A file that cannot even be read into variants is a failing test too.
class UnreadableTest : public testing::Test {
 public:
  explicit UnreadableTest(std::string message) : message_(std::move(message)) {}
  void TestBody() override { FAIL() << message_; }

 private:
  std::string message_;
};

// GoogleTest's names hold letters, digits and '_' only.
std::string testName(std::string name) {
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

// Whether the kernel runs as it does in a run without a difference. What cannot be read fails
// later.
bool isKnown(const KernelSource& source, const Difference& difference) {
  try {
    return !mayDiffer(parseKernel(source), difference);
  } catch (const std::exception&) {
    return false;
  }
}

// Of each file's variants every `step`th, from the one at `first` on, in an order that has nothing
// to do with the one in which the file counts them: a parameter that has two values takes both.
// All variants of a file with fewer than `step`, so that no share leaves out a file.
struct Share {
  size_t first = 0;
  size_t step = 1;

  std::vector<KernelSource> of(std::vector<KernelSource> sources) const {
    if (step == 1 || sources.size() < step) return sources;
    std::ranges::sort(sources, {}, [](const KernelSource& source) {
      return rt::checksum(std::as_bytes(std::span(source.variant)));
    });
    std::vector<KernelSource> chosen;
    for (size_t k = first; k < sources.size(); k += step) chosen.push_back(std::move(sources[k]));
    return chosen;
  }
};

std::optional<size_t> parseNumber(std::string_view digits) {
  constexpr size_t kMostDigits = 9;
  if (digits.empty() || digits.size() > kMostDigits) return {};
  size_t number = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return {};
    number = 10 * number + static_cast<size_t>(digit - '0');
  }
  return number;
}

// "K/N", the Kth of N shares, from 1 on; none if it is something else.
std::optional<Share> parseShare(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {};
  const auto place = parseNumber(text.substr(0, slash)),
             shares = parseNumber(text.substr(slash + 1));
  if (!place || !shares || *place < 1 || *place > *shares) return {};
  return Share{.first = *place - 1, .step = *shares};
}

// `distinct`: without the kernels that are known to run as they do without this difference.
void registerTests(const std::filesystem::path& root, Mode mode,
                   const std::optional<Difference>& distinct, Share share) {
  for (const std::filesystem::path& file : findKernelFiles(root)) {
    const std::string suite =
        testName(file.lexically_relative(root).parent_path().generic_string());
    const std::string line = file.generic_string();
    auto add = [&](const std::string& name, const auto& factory) {
      testing::RegisterTest(suite.empty() ? "kernels" : suite.c_str(), testName(name).c_str(),
                            nullptr, nullptr, line.c_str(), 1, factory);
    };
    try {
      for (const KernelSource& source : share.of(readKernelSources(file))) {
        if (distinct && isKnown(source, *distinct)) continue;
        add(source.name(file.parent_path()), [source, mode]() -> testing::Test* {
          if (mode == Mode::Repeatable) return new RepeatableTest(source);
          return new KernelTest(source, mode == Mode::Robust);
        });
      }
    } catch (const std::exception& error) {
      add(file.filename().string(), [message = std::string(error.what())]() -> testing::Test* {
        return new UnreadableTest(message);
      });
    }
  }
}

// Why kernels were skipped, and how many for each reason.
void printSkipped() {
  std::map<std::string, int> reasons;
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  for (int suite = 0; suite < tests.total_test_suite_count(); ++suite) {
    const testing::TestSuite& test_suite = *tests.GetTestSuite(suite);
    for (int k = 0; k < test_suite.total_test_count(); ++k) {
      const testing::TestResult& result = *test_suite.GetTestInfo(k)->result();
      for (int part = 0; part < result.total_part_count(); ++part) {
        if (result.GetTestPartResult(part).skipped()) {
          ++reasons[result.GetTestPartResult(part).summary()];
        }
      }
    }
  }
  for (const auto& [reason, count] : reasons) {
    std::printf("%4d skipped: %s\n", count, reason.c_str());
  }
}

}  // namespace
}  // namespace kernels

int main(int argc, char** argv) {
  constexpr int kSkipped = 77;  // CTest's SKIP_RETURN_CODE
  testing::InitGoogleTest(&argc, argv);
  const char* isa = std::getenv("TESSERA_ISA");
  const std::optional<rt::Isa> wanted = rt::parseIsa(isa ? isa : "");
  if (wanted && *wanted > rt::hostIsa()) {
    std::printf("skipped: this machine has no %s\n", isa);
    return kSkipped;
  }
  kernels::Mode mode = kernels::Mode::Check;
  std::filesystem::path root = TESSERA_KERNEL_FOLDER;
  bool is_distinct = false;
  std::optional<kernels::Share> share = kernels::Share();
  for (int k = 1; k < argc; ++k) {
    const std::string_view argument = argv[k];
    if (argument == "--robust") {
      mode = kernels::Mode::Robust;
    } else if (argument == "--repeatable") {
      mode = kernels::Mode::Repeatable;
    } else if (argument == "--distinct") {
      is_distinct = true;
    } else if (argument == "--folder" && k + 1 < argc) {
      root = argv[++k];
    } else if (argument == "--variants" && k + 1 < argc) {
      share = kernels::parseShare(argv[++k]);
    } else {
      share.reset();
    }
    if (!share) {
      std::printf(
          "usage: %s [--robust | --repeatable] [--distinct] [--variants K/N] "
          "[--folder FOLDER] [GoogleTest's options]\n",
          argv[0]);
      return 2;
    }
  }
  if (mode == kernels::Mode::Repeatable && std::thread::hardware_concurrency() < 2) {
    std::printf("skipped: one processor has no other number of threads than one\n");
    return kSkipped;
  }
  std::optional<kernels::Difference> distinct;
  if (is_distinct)
    distinct = {.robust = mode == kernels::Mode::Robust,
                .threads = mode == kernels::Mode::Repeatable,
                .subgroup_size = std::getenv("TESSERA_SUBGROUP_SIZE") != nullptr};
  kernels::registerTests(root, mode, distinct, *share);
  kernels::tested_device = new kernels::TestedDevice;
  testing::AddGlobalTestEnvironment(kernels::tested_device);
  std::printf("kernel files of %s, TESSERA_ISA=%s\n", root.c_str(), isa ? isa : "(best)");
  const int status = RUN_ALL_TESTS();
  kernels::printSkipped();
  return status;
}
