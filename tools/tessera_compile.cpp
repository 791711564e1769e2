// SPDX-License-Identifier: Apache-2.0

// tessera-compile: compiles SPIR-V files with the driver's compiler, without a device.
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/BLAKE3.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "jit/base/containment.h"
#include "jit/base/remark.h"
#include "jit/compiler.h"
#include "jit/pipeline/passes.h"
#include "runtime/cpu_features.h"
#include "tools/job_pool.h"
#include "tools/module_interface.h"

namespace {

constexpr char kUsage[] =
    R"(usage: tessera-compile [options] FILE|FOLDER...
       tessera-compile [--isa NAME] [--exact] [--interruptible] --pass NAME[,NAME...] FILE.ll

Compiles every compute entry point of SPIR-V files (*.spv in folders) as vkCreateComputePipelines
does: specialization constants have their defaults unless given, every buffer has a descriptor.
Files are compiled in processes of their own, so one that crashes the compiler is one line of
the output.

  --isa NAME          instruction set; the machine's highest unless said
  --subgroup-size N   8, 16, 32 or 64; 32 unless said
  --spec ID=VALUE     specialization constant ID is VALUE, a number of 32 bits
  --robust            with robust buffer access
  --tiles NAME        as TESSERA_TILES
  --exact             as with TESSERA_NUMERICS=exact
  --interruptible     as with TESSERA_WATCHDOG
  --time-limit S      seconds of processor time for a file; 60 unless said
  -j N                files at a time; one for each processor unless said
  --quiet             no lines for files that compile
  --slowest N         print the N slowest files; 10 unless said
  --dump FOLDER       as TESSERA_DUMP
  --dump-after NAME   in it the LLVM IR after this pass too, where it has changed something; all: after each
  --pass NAMES        run these passes, by themselves, on LLVM IR as text (the .ll of a dump, say) and
                      print what they make of it
  --hash              print of each file that compiles a hash of what the compiler made of it, machine
                      code and sizes: equal hashes, equal kernels
  --remarks           print what of each file was not made fast, and why (docs/fast-shaders.md)
  --passes            list the passes, in their order, and what they are for
  --help

Each file gets a line with the seconds of processor time that it took: compiled, refused (with the
message), no compute (it has no such entry point), or INTERNAL (a defect of the compiler), CRASHED,
HUNG. Exit status: 0 if none of the last three happened, 1 if one did, 2 for wrong usage.
)";

struct Options {
  std::vector<std::filesystem::path> files;
  jit::Compiler::Options compiler{.isa = rt::hostIsa()};
  std::vector<std::pair<uint32_t, uint32_t>> constants;  // specialization: id, value
  uint32_t subgroup_size = 32;
  bool robust = false;
  bool quiet = false;
  bool remarks = false;
  bool hash = false;
  uint32_t slowest = 10;
  std::vector<std::string> passes;  // to run by themselves
  tools::JobPool pool{uint32_t(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))), 60.0};
};

// What became of a file, the worst last.
enum class Verdict : char { NoCompute, Compiled, Refused, Internal, Crashed, Hung };
constexpr const char* kVerdicts[] = {"no compute", "compiled", "refused",
                                     "INTERNAL",   "CRASHED",  "HUNG"};

const char* name(Verdict verdict) { return kVerdicts[size_t(verdict)]; }

[[noreturn]] void fail(const std::string& message) {
  std::fprintf(stderr, "tessera-compile: %s\n%s", message.c_str(), kUsage);
  std::exit(2);
}

template <typename T>
T parseNumber(const std::string& option, const std::string& text, bool may_be_zero = false) {
  T number{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() ||
      !(number > 0 || (may_be_zero && number == 0))) {
    fail(option + " needs a number" + (may_be_zero ? "" : " above 0") + ", not '" + text + "'");
  }
  return number;
}

void addFiles(std::vector<std::filesystem::path>& files, const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) {
    if (!std::filesystem::exists(path)) fail("no file " + path.string());
    files.push_back(path);
    return;
  }
  size_t first = files.size();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file() && entry.path().extension() == ".spv") files.push_back(entry);
  }
  std::sort(files.begin() + ptrdiff_t(first), files.end());
}

Options parseOptions(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string argument = argv[k];
    auto value = [&]() -> std::string {
      if (k + 1 >= argc) fail(argument + " needs a value");
      return argv[++k];
    };
    if (argument == "--help") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    } else if (argument == "--isa") {
      const std::string isa = value();
      auto parsed = rt::parseIsa(isa);
      if (!parsed || *parsed > rt::hostIsa()) fail("this machine has no instruction set " + isa);
      options.compiler.isa = *parsed;
    } else if (argument == "--subgroup-size") {
      options.subgroup_size = parseNumber<uint32_t>(argument, value());
      if (options.subgroup_size < jit::kMinSubgroupSize ||
          options.subgroup_size > jit::kMaxSubgroupSize ||
          (options.subgroup_size & (options.subgroup_size - 1)) != 0) {
        fail("subgroups have 8, 16, 32 or 64 invocations");
      }
    } else if (argument == "--spec") {
      const std::string constant = value();
      const size_t equals = constant.find('=');
      if (equals == std::string::npos) fail(argument + " needs ID=VALUE, not '" + constant + "'");
      auto number = [&](const std::string& text) {
        return parseNumber<uint32_t>(argument, text, true);
      };
      options.constants.push_back(
          {number(constant.substr(0, equals)), number(constant.substr(equals + 1))});
    } else if (argument == "--robust") {
      options.robust = true;
    } else if (argument == "--tiles") {
      const std::string tiles = value();
      auto parsed = rt::parseTiles(tiles);
      if (!parsed) fail("nothing that executes tile instructions is called " + tiles);
      options.compiler.tiles = *parsed;
    } else if (argument == "--exact") {
      options.compiler.exact = true;
    } else if (argument == "--interruptible") {
      options.compiler.interruptible = true;
    } else if (argument == "--time-limit") {
      options.pool.time_limit = parseNumber<double>(argument, value());
    } else if (argument == "-j") {
      options.pool.processes = parseNumber<uint32_t>(argument, value());
    } else if (argument == "--quiet") {
      options.quiet = true;
    } else if (argument == "--hash") {
      options.hash = true;
    } else if (argument == "--remarks") {
      options.remarks = true;
    } else if (argument == "--slowest") {
      options.slowest = parseNumber<uint32_t>(argument, value());
    } else if (argument == "--dump") {
      options.compiler.dump_directory = value();
    } else if (argument == "--dump-after") {
      options.compiler.dump_after.push_back(value());
    } else if (argument == "--pass") {
      for (const auto name : std::views::split(value(), ','))
        options.passes.emplace_back(name.begin(), name.end());
    } else if (argument == "--passes") {
      std::printf("%s", jit::describePasses().c_str());
      std::exit(0);
    } else if (argument.starts_with("-")) {
      fail("no option " + argument);
    } else {
      addFiles(options.files, argument);
    }
  }
  if (options.files.empty()) fail("no file");
  return options;
}

std::vector<uint32_t> readWords(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  return words;
}

// A job's answer: the verdict's character, then the message.
std::string answer(Verdict verdict, const std::string& message = "") {
  return std::string(1, char('0' + char(verdict))) + message;
}

// As hexadecimal digits, few enough for a line and enough to tell kernels apart.
std::string hashOf(std::span<const std::byte> binary) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(binary.data());
  return llvm::toHex(llvm::BLAKE3::hash<16>({bytes, binary.size()}), /*LowerCase=*/true);
}

std::string compileFile(jit::Compiler& compiler, const Options& options,
                        const std::filesystem::path& path) {
  const std::vector<uint32_t> words = readWords(path);
  const tools::ModuleInterface interface = tools::interfaceOf(words);
  std::vector<jit::Specialization> specializations;
  for (const auto& [id, value] : options.constants) {
    specializations.push_back({id, std::as_bytes(std::span(&value, 1))});
  }
  std::string worst = answer(Verdict::NoCompute);
  for (const std::string& entry_point : interface.compute_entry_points) {
    jit::KernelRequest request{.spirv = words,
                               .entry_point = entry_point,
                               .specializations = specializations,
                               .bindings = interface.bindings,
                               .subgroup_size = options.subgroup_size,
                               .robust_storage_buffers = options.robust,
                               .robust_uniform_buffers = options.robust,
                               .robust_variables = options.robust,
                               .name = path.stem().string()};
    std::vector<jit::Remark> remarks;
    std::vector<std::byte> binary;
    auto result = compiler.compile(request, {.binary = options.hash ? &binary : nullptr,
                                             .remarks = options.remarks ? &remarks : nullptr});
    std::string text = jit::describeRemarks(remarks);
    if (options.hash) text = hashOf(binary) + (text.empty() ? "" : "\n") + text;
    std::string one = answer(Verdict::Compiled, text);
    if (auto* error = std::get_if<jit::CompileError>(&result)) {
      bool internal = error->kind == jit::CompileError::Kind::Internal;
      one = answer(internal ? Verdict::Internal : Verdict::Refused, error->message);
    }
    if (one[0] > worst[0]) worst = one;
  }
  return worst;
}

// A message without what differs from file to file: the module's name, ids, other numbers.
std::string reasonOf(const std::string& message, const std::string& stem) {
  std::string reason;
  size_t start = message.starts_with(stem + ": ") ? stem.size() + 2 : 0;
  for (char c : message.substr(start, message.find('\n', start) - start)) {
    bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit) reason += c;
    if (digit && !reason.ends_with('#')) reason += '#';
  }
  return reason;
}

class Report {
 public:
  explicit Report(const Options& options) : options_(options) {}

  void add(const tools::JobResult& result) {
    using End = tools::JobResult::End;
    const std::filesystem::path& path = options_.files[result.job];
    Verdict verdict = result.end == End::Crashed ? Verdict::Crashed : Verdict::Hung;
    std::string message = result.text;
    if (result.end == End::Returned) {
      verdict = Verdict(message.at(0) - '0');
      message.erase(0, 1);
    }
    ++totals_[verdict];
    if (verdict > Verdict::Compiled) ++reasons_[{verdict, reasonOf(message, path.stem())}];
    times_.push_back({result.seconds, path.string()});
    const bool asked = verdict == Verdict::Compiled && !message.empty();  // for a hash or remarks
    if (options_.quiet && verdict <= Verdict::Compiled && !asked) return;
    std::printf("%-10s %6.2f s  %s%s%s\n", name(verdict), result.seconds, path.c_str(),
                message.empty()           ? ""
                : asked && !options_.hash ? ":\n"
                                          : ": ",
                message.c_str());
    std::fflush(stdout);
  }

  // Prints totals; returns the program's exit status.
  int finish() {
    std::printf("\n");
    for (const auto& [verdict, count] : totals_) std::printf("%8zu %s\n", count, name(verdict));
    std::vector<std::pair<size_t, std::string>> reasons;
    for (const auto& [key, count] : reasons_) {
      reasons.push_back({count, std::string(name(key.first)) + ": " + key.second});
    }
    std::sort(reasons.rbegin(), reasons.rend());
    if (!reasons.empty()) std::printf("\nreasons\n");
    for (const auto& [count, reason] : reasons) std::printf("%8zu %s\n", count, reason.c_str());
    std::sort(times_.rbegin(), times_.rend());
    times_.resize(std::min<size_t>(times_.size(), options_.slowest));
    std::printf("\nslowest\n");
    for (const auto& [seconds, path] : times_) std::printf("%8.2f s %s\n", seconds, path.c_str());
    return totals_.upper_bound(Verdict::Refused) == totals_.end() ? 0 : 1;
  }

 private:
  const Options& options_;
  std::map<Verdict, size_t> totals_;
  std::map<std::pair<Verdict, std::string>, size_t> reasons_;
  std::vector<std::pair<double, std::string>> times_;
};

// Runs the passes on a file, and prints the result. Returns the program's exit status.
int runPasses(const Options& options) {
  if (options.files.size() != 1) fail("--pass wants one file of LLVM IR");
  std::ifstream file(options.files.front());
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  jit::Target target = jit::makeTarget(options.compiler.isa, options.compiler.tiles);
  target.exact = options.compiler.exact;
  target.interruptible = options.compiler.interruptible;
  llvm::Error error = jit::runContained([&]() -> llvm::Error {
    std::vector<jit::Remark> remarks;
    auto result = jit::runPassesOnText(text, options.passes, target, &remarks);
    if (!result) return result.takeError();
    if (options.remarks) std::fputs(jit::describeRemarks(remarks).c_str(), stderr);
    std::fputs(result->c_str(), stdout);
    return llvm::Error::success();
  });
  if (!error) return 0;
  std::fprintf(stderr, "tessera-compile: %s: %s\n", options.files.front().c_str(),
               llvm::toString(std::move(error)).c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv);
  if (!options.passes.empty()) return runPasses(options);
  Report report(options);
  auto start = [&]() -> tools::JobPool::Job {
    auto created = jit::Compiler::create(options.compiler);
    if (auto* error = std::get_if<jit::CompileError>(&created)) {
      std::fprintf(stderr, "tessera-compile: %s\n", error->message.c_str());
      _exit(1);
    }
    std::shared_ptr<jit::Compiler> compiler = std::move(std::get<0>(created));
    return [&options, compiler](uint64_t job) {
      return compileFile(*compiler, options, options.files[job]);
    };
  };
  options.pool.run(options.files.size(), start,
                   [&](const tools::JobResult& result) { report.add(result); });
  return report.finish();
}
