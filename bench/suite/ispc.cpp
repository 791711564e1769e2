// SPDX-License-Identifier: Apache-2.0

// Kernels in ISPC. Their function has the kernel's name and takes what the C++ one takes.
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/suite/contestant.h"
#include "bench/timing.h"

namespace bench {
namespace {

constexpr size_t kMostBuffers = 8;

template <size_t>
using BufferPointer = std::byte*;

// Calls a C function of the push constants and so many buffers.
template <size_t... kIndex>
void callWith(void* function, const uint32_t* push, std::byte* const* buffers,
              std::index_sequence<kIndex...>) {
  reinterpret_cast<void (*)(const uint32_t*, BufferPointer<kIndex>...)>(function)(
      push, buffers[kIndex]...);
}

template <size_t kCount = 1>
void call(void* function, const uint32_t* push, std::byte* const* buffers, size_t count) {
  if constexpr (kCount <= kMostBuffers) {
    if (count == kCount)
      return callWith(function, push, buffers, std::make_index_sequence<kCount>());
    call<kCount + 1>(function, push, buffers, count);
  }
}

class IspcContestant : public Contestant {
 public:
  IspcContestant(const SuiteKernel& kernel, const BufferSet& buffers,
                 const std::filesystem::path& library)
      : kernel_(kernel), library_({library.c_str()}), buffers_(buffers) {
    void (*function)() = nullptr;
    library_.load(function, kernel.row().name);
    function_ = reinterpret_cast<void*>(function);
    buffers.assign(kernel.contents());
    run();
    if (const std::string wrong = kernel.compare(buffers_.spans()); !wrong.empty())
      throw std::runtime_error("ISPC: " + wrong);
  }

  double measure() override {
    const Block block = measureBlock(kShortestBlock, [&] { run(); });
    return block.cpu / block.runs;
  }

 private:
  void run() {
    call(function_, kernel_.push().data(), buffers_.pointers(), kernel_.contents().size());
  }

  const SuiteKernel& kernel_;
  SharedLibrary library_;
  const BufferSet& buffers_;
  void* function_ = nullptr;
};

// Whether the program ran and its exit status was 0.
bool runs(std::vector<std::string> words, bool quiet = false) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (quiet) posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = -1;
  int status = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) return false;
  return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The peers' own compiler, or the system's.
std::vector<std::string> compilerWith(const std::vector<std::string>& arguments) {
  const std::filesystem::path peers = TESSERA_PEERS_FOLDER;
  const std::filesystem::path compiler = peers / "usr/bin/ispc";
  std::vector<std::string> words = {"ispc"};
  if (std::filesystem::exists(compiler)) words = {(peers / "run").string(), compiler.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

}  // namespace

IspcCompiler::IspcCompiler() {
  std::string name = (std::filesystem::temp_directory_path() / "suite_bench.XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for ISPC's libraries");
  folder_ = name;
}

IspcCompiler::~IspcCompiler() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::unique_ptr<Contestant> IspcCompiler::make(const SuiteKernel& kernel,
                                               const BufferSet& buffers) const {
  const std::filesystem::path source = kernel.besides(".ispc");
  if (source.empty()) return nullptr;
  static const bool kInstalled = runs(compilerWith({"--version"}), true);
  if (!kInstalled) throw Absent("ISPC is not installed");
  const std::string object = (folder_ / kernel.row().name).string() + ".o";
  const std::string library = (folder_ / kernel.row().name).string() + ".so";
  if (!runs(compilerWith(
          {"-O3", "--pic", "--woff", "--target=host", "-o", object, source.string()})) ||
      !runs({TESSERA_SUITE_LINKER, "-shared", "-o", library, object, "-lm"}))
    throw std::runtime_error(source.filename().string() + " does not compile");
  return std::make_unique<IspcContestant>(kernel, buffers, library);
}

}  // namespace bench
