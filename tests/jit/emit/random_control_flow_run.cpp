// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/emit/random_control_flow_run.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <spirv-tools/libspirv.hpp>

#include "jit/compiler.h"
#include "tests/jit/emit/interpreter.h"
#include "tests/jit/emit/random_control_flow_program.h"
#include "tests/jit/emit/random_control_flow_random.h"
#include "tests/support/environment.h"

namespace jit::test {
namespace {

constexpr uint32_t kWorkgroups = 2;
constexpr rlim_t kSeconds = 100;  // of CPU time for a program, which takes one or two
constexpr uint32_t kGuardWords = 16;
constexpr uint32_t kGuard = 0xfeedbeef;

struct alignas(rt::kWorkgroupMemoryAlignment) Line {
  std::array<uint32_t, rt::kWorkgroupMemoryAlignment / 4> words;
};

std::vector<Line> lines(size_t bytes, uint32_t fill) {
  std::vector<Line> result(bytes / sizeof(Line) + 1);
  for (Line& line : result) line.words.fill(fill);
  return result;
}

InterpretedDispatch freshDispatch(uint64_t seed, const ParsedModule& module, uint32_t subgroup) {
  Random random(Random::derive(seed, 3));
  const auto& size = module.workgroup_size;
  const uint32_t invocations = kWorkgroups * size[0] * size[1] * size[2];
  InterpretedDispatch dispatch{kWorkgroups, subgroup, {}, {}};
  auto words = [&](uint32_t count) {
    std::vector<uint32_t> result(count);
    for (uint32_t& w : result)
      w = random.chance(70) ? random.below(10) : static_cast<uint32_t>(random.next());
    return result;
  };
  dispatch.push_constants = words(kPushConstants);
  dispatch.buffers.resize(kBuffers);
  dispatch.buffers[kInput] = words(kInputWords);
  dispatch.buffers[kOutput].assign(2 * kOutputSlots * invocations, 0);
  dispatch.buffers[kFlagBuffer].assign(kFlags * kWorkgroups, 0);
  return dispatch;
}

void run(const Kernel& kernel, InterpretedDispatch& dispatch) {
  rt::BufferDescriptor descriptors[kBuffers];
  for (uint32_t b = 0; b < kBuffers; ++b) {
    auto& words = dispatch.buffers[b];
    const size_t bytes = words.size() * 4;
    words.insert(words.end(), kGuardWords, kGuard);
    descriptors[b] = {reinterpret_cast<std::byte*>(words.data()), bytes};
  }
  rt::DispatchArgs args{};
  args.sets[0] = reinterpret_cast<const std::byte*>(descriptors);
  std::memcpy(args.push_constants, dispatch.push_constants.data(),
              dispatch.push_constants.size() * 4);
  args.workgroup_count[0] = dispatch.workgroups;
  args.workgroup_count[1] = args.workgroup_count[2] = 1;
  for (uint32_t x = 0; x < dispatch.workgroups; ++x) {
    auto shared = lines(kernel.shared_bytes, 0);
    auto scratch = lines(kernel.scratch_bytes, kGuard);
    rt::WorkgroupMemory memory{reinterpret_cast<std::byte*>(shared.data()),
                               reinterpret_cast<std::byte*>(scratch.data())};
    kernel.entry(&args, &memory, x, 0, 0, 1);
  }
}

std::string describe(const RandomRun& run) {
  return std::string(rt::isaName(run.isa)) + ", subgroups of " + std::to_string(run.subgroup_size);
}

// Empty when all words are as expected.
std::string difference(const InterpretedDispatch& expected, const InterpretedDispatch& actual) {
  for (uint32_t b = 0; b < kBuffers; ++b) {
    std::vector<uint32_t> words = expected.buffers[b];
    words.insert(words.end(), kGuardWords, kGuard);
    auto [e, a] = std::mismatch(words.begin(), words.end(), actual.buffers[b].begin());
    if (e != words.end())
      return "word " + std::to_string(e - words.begin()) + " of buffer " + std::to_string(b) +
             " is " + std::to_string(*a) + ", not " + std::to_string(*e);
  }
  return {};
}

Compiler& compilerFor(rt::Isa isa) {
  static std::map<rt::Isa, std::unique_ptr<Compiler>> compilers;
  auto& compiler = compilers[isa];
  if (!compiler) {
    auto created = Compiler::create(
        {.isa = isa,
         .checks_shapes = ::test::numberFromEnvironment("TESSERA_CHECK_SHAPES", 0) != 0});
    compiler = std::move(std::get<std::unique_ptr<Compiler>>(created));
  }
  return *compiler;
}

std::string checkRun(uint64_t seed, const std::vector<uint32_t>& words, const ParsedModule& module,
                     const RandomRun& how) {
  std::vector<BindingLayout> bindings;
  for (uint32_t b = 0; b < kBuffers; ++b)
    bindings.push_back({0, b, DescriptorKind::StorageBuffer, 1,
                        b * static_cast<uint32_t>(sizeof(rt::BufferDescriptor)), -1});
  KernelRequest request;
  request.spirv = words;
  request.entry_point = "main";
  request.bindings = bindings;
  request.subgroup_size = how.subgroup_size;
  request.robust_storage_buffers = request.robust_variables = seed % 2 == 0;
  auto compiled = compilerFor(how.isa).compile(request);
  if (auto* error = std::get_if<CompileError>(&compiled))
    return describe(how) + ": not compiled: " + error->message;

  InterpretedDispatch expected = freshDispatch(seed, module, how.subgroup_size);
  InterpretedDispatch actual = expected;
  interpret(module, expected);
  run(*std::get<0>(compiled), actual);
  const std::string wrong = difference(expected, actual);
  return wrong.empty() ? wrong : describe(how) + ": " + wrong;
}

std::string checkRuns(uint64_t seed, const std::vector<uint32_t>& words,
                      const std::vector<RandomRun>& runs) {
  try {
    const ParsedModule module(words);
    for (const RandomRun& how : runs)
      if (std::string wrong = checkRun(seed, words, module, how); !wrong.empty()) return wrong;
    return {};
  } catch (const std::exception& error) {
    return std::string("the interpreter: ") + error.what();
  }
}

// What a failure is about, without its numbers: a program under reduction must keep it.
std::string kindOf(const std::string& failure) {
  std::string kind;
  for (char c : failure)
    if (c < '0' || c > '9') kind += c;
  return kind.substr(0, 60);
}

}  // namespace

std::vector<RandomRun> allRuns() {
  std::vector<RandomRun> runs;
  for (uint8_t isa = 0; isa <= static_cast<uint8_t>(rt::hostIsa()); ++isa)
    for (uint32_t size : {8, 16, 32, 64}) runs.push_back({static_cast<rt::Isa>(isa), size});
  return runs;
}

std::string checkShader(const std::vector<uint32_t>& words, const std::vector<RandomRun>& runs,
                        uint64_t seed) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child < 0) return "no process";
  if (child == 0) {
    close(ends[0]);
    const rlimit limit{kSeconds, kSeconds};
    setrlimit(RLIMIT_CPU, &limit);
    const std::string message = checkRuns(seed, words, runs);
    const bool written =
        write(ends[1], message.data(), message.size()) == static_cast<ssize_t>(message.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string message;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;)
    message.append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL) return "does not end";
    return std::string("ended by a signal: ") + strsignal(WTERMSIG(status));
  }
  if (WEXITSTATUS(status) != 0 && message.empty()) return "ended with an error status";
  return message;
}

std::string checkRandomProgram(uint64_t seed, const std::vector<RandomRun>& runs,
                               const std::set<uint64_t>& left_out) {
  return checkShader(makeRandomProgram(seed, left_out).words, runs, seed);
}

std::set<uint64_t> reduceRandomProgram(uint64_t seed, const std::vector<RandomRun>& runs) {
  std::set<uint64_t> left_out;
  const std::string kind = kindOf(checkRandomProgram(seed, runs));
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (uint64_t statement : makeRandomProgram(seed, left_out).statements) {
      std::set<uint64_t> fewer = left_out;
      fewer.insert(statement);
      if (kindOf(checkRandomProgram(seed, runs, fewer)) != kind) continue;
      left_out = std::move(fewer);
      smaller = true;
    }
  }
  return left_out;
}

std::string describeRandomProgram(uint64_t seed, const std::set<uint64_t>& left_out) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_1);
  std::string text;
  tools.Disassemble(makeRandomProgram(seed, left_out).words, &text,
                    SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_NO_HEADER);
  return text;
}

}  // namespace jit::test
