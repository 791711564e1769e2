// SPDX-License-Identifier: Apache-2.0

// libFuzzer's target: the compiler on mutated modules. Built with clang and -DTESSERA_FUZZER=ON;
// tests/fuzz/README.md says how to run it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tests/fuzz/compile_module.h"
#include "tests/fuzz/spirv_mutator.h"

namespace {

std::vector<uint32_t> wordsOf(const uint8_t* data, size_t size) {
  std::vector<uint32_t> words(size / 4);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 4);
  return words;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  std::vector<uint32_t> words = fuzz::mutate(wordsOf(data, size), seed);
  words.resize(std::min(words.size(), max_size / 4));
  std::memcpy(data, words.data(), words.size() * 4);
  return words.size() * 4;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static fuzz::ModuleCompiler compiler;
  const std::string message = compiler.compile(wordsOf(data, size));
  if (message.empty()) return 0;
  std::fprintf(stderr, "internal error: %s\n", message.c_str());
  std::abort();
}
