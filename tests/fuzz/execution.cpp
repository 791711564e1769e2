// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/execution.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ucontext.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <system_error>

#include "runtime/float_environment.h"
#include "runtime/panel_cache.h"
#include "tests/jit/emit/random_control_flow_random.h"

namespace fuzz {
namespace {

using jit::test::Random;

constexpr uint32_t kWorkgroups[3] = {2, 2, 1};
constexpr uint32_t kMostBuffers = 4;  // of a binding; elements of larger arrays share them
constexpr size_t kBufferBytes[] = {4096, 4096, 65536, 256, 100, 0};
constexpr size_t kSpareBytes = 64 * 1024;  // of memory that a kernel may not need at all

constexpr int kPatience = 500;     // milliseconds until a kernel is asked to end
constexpr int kGrace = 20 * 1000;  // and until it has to have ended, on a machine that is busy

// What a word of a buffer holds: small numbers, which are good indices and counts, floats, bits.
uint32_t anyWord(Random& random) {
  switch (random.below(4)) {
    case 0:
      return static_cast<uint32_t>(random.next());
    case 1:
      return std::bit_cast<uint32_t>(static_cast<float>(random.below(64)) / 8 - 4);
    default:
      return random.below(16);
  }
}

void fill(std::span<std::byte> bytes, Random random) {
  for (size_t at = 0; at < bytes.size(); at += 4) {
    const uint32_t word = anyWord(random);
    std::memcpy(bytes.data() + at, &word, std::min<size_t>(4, bytes.size() - at));
  }
}

// Whether two words are as good as one another, which nobody knows the type of: NaNs are alike in
// all formats (SPIR-V does not say which one comes out), and elementary functions round a little
// differently with fused multiply-adds.
bool isSame(uint32_t a, uint32_t b) {
  if (a == b) return true;
  auto isNan = [](uint32_t word) { return (word & 0x7fffffff) > 0x7f800000; };
  if (isNan(a) && isNan(b)) return true;
  const auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
  if (std::abs(x - y) <= 0x1p-16f * std::max(std::abs(x), std::abs(y))) return true;
  auto isSameHalf = [](uint32_t x, uint32_t y) {
    auto isNanAbove = [&](uint32_t infinity) {
      return (x & 0x7fff) > infinity && (y & 0x7fff) > infinity;
    };
    const bool is_normal = (x & 0x7c00) != 0 && (y & 0x7c00) != 0;
    return x == y || isNanAbove(0x7c00) || isNanAbove(0x7f80) ||
           (is_normal && std::max(x, y) - std::min(x, y) <= 2);
  };
  return isSameHalf(a & 0xffff, b & 0xffff) && isSameHalf(a >> 16, b >> 16);
}

size_t bytesOfSet(std::span<const jit::BindingLayout> bindings, uint32_t set) {
  size_t end = 0;
  for (const jit::BindingLayout& b : bindings)
    if (b.set == set) end = std::max(end, b.offset + (b.count + 1) * sizeof(rt::BufferDescriptor));
  return end;
}

}  // namespace

struct Execution::Shared {
  std::atomic<uint64_t> stop;
  std::atomic<int> signal;
  void* address;     // of the access that caused it
  bool is_executed;  // the access was the processor's, to find the next instruction
};

namespace {

// Of the process that runs a kernel.
Execution::Shared* told = nullptr;

void tell(int signal, siginfo_t* info, void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  told->address = info->si_addr;
  told->is_executed = registers[REG_RIP] == reinterpret_cast<greg_t>(info->si_addr);
  told->signal = signal;
  _exit(1);
}

// On a stack of their own: the kernel's may be what is broken.
void catchFaults(Execution::Shared* shared) {
  static std::byte stack[64 * 1024];
  told = shared;
  const stack_t alternative{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof(stack)};
  sigaltstack(&alternative, nullptr);
  struct sigaction action{};
  action.sa_sigaction = tell;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    sigaction(signal, &action, nullptr);
}

}  // namespace

Execution::Execution(const jit::Kernel& kernel, std::span<const jit::BindingLayout> bindings,
                     uint64_t seed)
    : kernel_(kernel),
      arguments_(sizeof(rt::DispatchArgs)),
      workgroup_memory_(sizeof(rt::WorkgroupMemory)),
      scratch_(kernel.scratch_bytes == 0 ? kSpareBytes : kernel.scratch_bytes),
      shared_(sizeof(Shared)) {
  new (shared_.data()) Shared{};
  makeBuffers(bindings, seed);
  auto* arguments = new (arguments_.data()) rt::DispatchArgs{};
  for (uint32_t set = 0; set < rt::kMaxDescriptorSets; ++set)
    arguments->sets[set] = sets_.at(set).memory.data();
  fill(arguments->push_constants, Random(seed + 1));
  std::ranges::copy(kWorkgroups, arguments->workgroup_count);
  arguments->stop = &reinterpret_cast<Shared*>(shared_.data())->stop;
  arguments_.makeReadOnly();
}

void Execution::makeBuffers(std::span<const jit::BindingLayout> bindings, uint64_t seed) {
  sets_.reserve(rt::kMaxDescriptorSets);
  for (uint32_t set = 0; set < rt::kMaxDescriptorSets; ++set)
    sets_.push_back({"the descriptors of set " + std::to_string(set),
                     GuardedMemory(bytesOfSet(bindings, set))});
  for (const jit::BindingLayout& binding : bindings) {
    if (binding.set >= rt::kMaxDescriptorSets) continue;
    const size_t first = buffers_.size();
    const uint32_t count = std::min(binding.count, kMostBuffers);
    for (uint32_t element = 0; element < count; ++element) {
      Random random(seed ^
                    (uint64_t{binding.set} << 40 | uint64_t{binding.binding} << 8 | element));
      const size_t bytes = kBufferBytes[random.below(std::size(kBufferBytes))];
      buffers_.push_back({"buffer " + std::to_string(binding.set) + "." +
                              std::to_string(binding.binding) + "[" + std::to_string(element) + "]",
                          GuardedMemory(bytes)});
      fill(buffers_.back().memory.bytes(), random);
    }
    for (uint32_t element = 0; element < binding.count; ++element) {
      const std::span<std::byte> bytes = buffers_[first + element % count].memory.bytes();
      const rt::BufferDescriptor descriptor{bytes.data(), bytes.size()};
      std::memcpy(sets_[binding.set].memory.data() + binding.offset +
                      element * sizeof(rt::BufferDescriptor),
                  &descriptor, sizeof(descriptor));
    }
  }
  for (Buffer& set : sets_) set.memory.makeReadOnly();
}

void Execution::runHere() {
  auto* shared = reinterpret_cast<Shared*>(shared_.data());
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  catchFaults(shared);
  const auto* arguments = reinterpret_cast<const rt::DispatchArgs*>(arguments_.data());
  const auto* memory = reinterpret_cast<const rt::WorkgroupMemory*>(workgroup_memory_.data());
  rt::PanelCache panels;
  panels.begin(1, 2 * rt::PanelCache::kGranularity);
  if (kernel_.shares_panels) rt::setPanelCache(&panels);
  {
    const rt::KernelFloatEnvironment environment;
    for (uint32_t y = 0; y < kWorkgroups[1]; ++y)
      for (uint32_t x = 0; x < kWorkgroups[0] && shared->stop == 0; ++x)
        kernel_.entry(arguments, memory, x, y, 0, 1);
  }
  _exit(0);
}

Execution::End Execution::run() {
  // Workgroup memory is made here: its place is not known before.
  GuardedMemory workgroup(kernel_.shared_bytes);
  new (workgroup_memory_.data()) rt::WorkgroupMemory{workgroup.data(), scratch_.data()};
  workgroup_memory_.makeReadOnly();
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
  const pid_t process = fork();
  if (process < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (process == 0) runHere();
  close(pipe[1]);  // the process has the other one until it ends
  bool stopped = false;
  int status = 0;
  const bool ended = waitFor(process, pipe[0], stopped, status);
  close(pipe[0]);

  if (!ended) {
    failure_ = "did not end when it was told to";
    return End::Failed;
  }
  const End end = judge(workgroup, status);
  return end == End::Returned && stopped ? End::Stopped : end;
}

// What a process that has ended did.
Execution::End Execution::judge(const GuardedMemory& workgroup, int status) {
  const auto* shared = reinterpret_cast<const Shared*>(shared_.data());
  if (const int signal = shared->signal; signal != 0) {
    failure_ = strsignal(signal);
    if (signal != SIGSEGV && signal != SIGBUS) return End::Failed;
    if (const Buffer* buffer = bufferNear(shared->address)) {
      failure_ += " beside " + buffer->name;
      return End::Failed;
    }
    failure_ += shared->is_executed                  ? " where no code is"
                : workgroup.isNear(shared->address)  ? " beside Workgroup memory"
                : scratch_.isNear(shared->address)   ? " beside the frame"
                : arguments_.isNear(shared->address) ? " beside the push constants"
                                                     : " beside descriptors, or far from all";
    return End::Failed;
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    failure_ = "died with status " + std::to_string(status);
    return End::Failed;
  }
  for (const Buffer& buffer : buffers_)
    if (!buffer.memory.isIntact()) {
      failure_ = "wrote beside " + buffer.name;
      return End::Failed;
    }
  if (workgroup.isIntact() && scratch_.isIntact()) return End::Returned;
  failure_ = workgroup.isIntact() ? "wrote beside the frame" : "wrote beside Workgroup memory";
  return End::Failed;
}

// False when it had to be killed.
bool Execution::waitFor(int process, int pipe, bool& stopped, int& status) {
  pollfd end{pipe, 0, 0};  // hears of the other end's close alone
  auto* shared = reinterpret_cast<Shared*>(shared_.data());
  bool ended = poll(&end, 1, kPatience) > 0;
  if (!ended) {
    stopped = true;
    shared->stop = 1;
    ended = poll(&end, 1, kGrace) > 0;
  }
  if (!ended) kill(process, SIGKILL);
  waitpid(process, &status, 0);
  return ended;
}

const Execution::Buffer* Execution::bufferNear(const void* address) const {
  for (const Buffer& buffer : buffers_)
    if (buffer.memory.isNear(address)) return &buffer;
  return nullptr;
}

std::string Execution::difference(const Execution& a, const Execution& b) {
  for (size_t k = 0; k < a.buffers_.size(); ++k) {
    const auto one = a.buffers_[k].memory.bytes(), other = b.buffers_[k].memory.bytes();
    for (size_t at = 0; at < one.size(); at += 4) {
      uint32_t words[2] = {};
      const size_t bytes = std::min<size_t>(4, one.size() - at);
      std::memcpy(&words[0], one.data() + at, bytes);
      std::memcpy(&words[1], other.data() + at, bytes);
      if (!isSame(words[0], words[1]))
        return a.buffers_[k].name + ", word " + std::to_string(at / 4) + ": " +
               std::to_string(words[0]) + " and " + std::to_string(words[1]);
    }
  }
  return "";
}

}  // namespace fuzz
