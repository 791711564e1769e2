// SPDX-License-Identifier: Apache-2.0

#include "jit/compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spirv/unified1/spirv.hpp11>

#include <cstring>
#include <filesystem>
#include <set>
#include <thread>

#include "tests/jit/spirv/assembled_module.h"

namespace jit {
namespace {

using spirv::assemble;
using spirv::shader;
using testing::HasSubstr;

std::unique_ptr<Compiler> makeCompiler(Compiler::Options options = {.isa = rt::hostIsa()}) {
  auto created = Compiler::create(std::move(options));
  if (auto* error = std::get_if<CompileError>(&created)) {
    ADD_FAILURE() << error->message;
    return nullptr;
  }
  return std::get<0>(std::move(created));
}

// Writes `value` to word 0 of set 0, binding 0.
std::vector<uint32_t> writer(uint32_t value) {
  return assemble(shader(R"(
      %words = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %words
      %block_pointer = OpTypePointer StorageBuffer %block
      %uint_pointer = OpTypePointer StorageBuffer %uint
      %buffer = OpVariable %block_pointer StorageBuffer
      %value = OpConstant %uint )" +
                             std::to_string(value),
                         R"(
      %entry = OpLabel
      %word = OpAccessChain %uint_pointer %buffer %u0 %u0
      OpStore %word %value
      OpReturn
      OpFunctionEnd)",
                         R"(
      OpDecorate %words ArrayStride 4
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %buffer DescriptorSet 0
      OpDecorate %buffer Binding 0)"));
}

constexpr BindingLayout kOneBuffer[] = {{0, 0, DescriptorKind::StorageBuffer, 1, 0, -1}};

KernelRequest requestFor(std::span<const uint32_t> words) {
  KernelRequest request;
  request.spirv = words;
  request.entry_point = "main";
  request.bindings = kOneBuffer;
  request.name = "test.comp";
  return request;
}

uint32_t runAndRead(const Kernel& kernel) {
  uint32_t word = 0;
  rt::BufferDescriptor set[] = {{reinterpret_cast<std::byte*>(&word), sizeof(word)}};
  rt::DispatchArgs dispatch{};
  dispatch.sets[0] = reinterpret_cast<const std::byte*>(set);
  rt::WorkgroupMemory memory{};
  kernel.entry(&dispatch, &memory, 0, 0, 0, 1);
  return word;
}

TEST(Compiler, KernelsOutliveTheCompiler) {
  std::vector<uint32_t> words = writer(42);
  std::shared_ptr<const Kernel> kernel;
  {
    auto compiler = makeCompiler();
    auto result = compiler->compile(requestFor(words));
    ASSERT_EQ(result.index(), 0u) << std::get<1>(result).message;
    kernel = std::get<0>(result);
  }
  EXPECT_EQ(kernel->workgroup_size, (std::array<uint32_t, 3>{1, 1, 1}));
  EXPECT_EQ(runAndRead(*kernel), 42u);
}

TEST(Compiler, ErrorsNameTheRequest) {
  auto compiler = makeCompiler();
  std::vector<uint32_t> words = writer(1);
  KernelRequest request = requestFor(words);
  request.entry_point = "other";
  auto missing = compiler->compile(request);
  ASSERT_EQ(missing.index(), 1u);
  EXPECT_EQ(std::get<1>(missing).kind, CompileError::Kind::Malformed);
  EXPECT_THAT(std::get<1>(missing).message, HasSubstr("test.comp"));
  EXPECT_THAT(std::get<1>(missing).message, HasSubstr("other"));

  for (size_t length : {size_t{0}, size_t{3}, words.size() - 1}) {
    auto cut = compiler->compile(requestFor(std::span(words).first(length)));
    ASSERT_EQ(cut.index(), 1u);
    EXPECT_EQ(std::get<1>(cut).kind, CompileError::Kind::Malformed);
  }
}

// Dispatches pass a pointer for each set that there may be, and kernels must not look for more.
TEST(Compiler, SetsBeyondTheLimitAreMissing) {
  std::vector<uint32_t> words = writer(1);
  constexpr uint32_t kDecorate = 4u << 16 | static_cast<uint32_t>(spv::Op::OpDecorate);
  for (size_t i = 5; i < words.size(); i += words[i] >> 16)
    if (words[i] == kDecorate &&
        words[i + 2] == static_cast<uint32_t>(spv::Decoration::DescriptorSet))
      words[i + 3] = 40;
  const BindingLayout far[] = {{40, 0, DescriptorKind::StorageBuffer, 1, 0, -1}};
  KernelRequest request = requestFor(words);
  request.bindings = far;
  auto refused = makeCompiler()->compile(request);
  ASSERT_EQ(refused.index(), 1u);
  EXPECT_THAT(std::get<1>(refused).message, HasSubstr("no binding 0 in set 40"));
}

TEST(Compiler, RequestsRunInParallel) {
  auto compiler = makeCompiler();
  std::vector<std::vector<uint32_t>> modules;
  for (uint32_t i = 0; i < 8; ++i) modules.push_back(writer(i));
  std::vector<uint32_t> results(modules.size(), ~0u);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < modules.size(); ++i) {
    threads.emplace_back([&, i] {
      auto result = compiler->compile(requestFor(modules[i]));
      if (result.index() == 0) results[i] = runAndRead(*std::get<0>(result));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(results, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Compiler, DumpsEachStage) {
  namespace fs = std::filesystem;
  fs::path directory = fs::path(testing::TempDir()) / "tessera-dump" / "new";
  fs::remove_all(directory);
  auto compiler = makeCompiler({.isa = rt::hostIsa(), .dump_directory = directory.string()});
  std::vector<uint32_t> words = writer(1);
  ASSERT_EQ(compiler->compile(requestFor(words)).index(), 0u);
  std::set<std::string> extensions;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    extensions.insert(entry.path().extension());
    EXPECT_THAT(entry.path().filename().string(), HasSubstr("test_comp"));
    EXPECT_GT(entry.file_size(), 0u);
  }
  EXPECT_THAT(extensions, testing::IsSupersetOf({".spv", ".spvasm", ".txt", ".ll", ".s"}));
  fs::remove_all(directory.parent_path());
}

TEST(Compiler, AFolderThatCannotBeWrittenIsOnlyAWarning) {
  std::string warnings;
  auto compiler = makeCompiler({.isa = rt::hostIsa(),
                                .dump_directory = "/dev/null/nothing",
                                .warn = [&](std::string_view text) { warnings += text; }});
  std::vector<uint32_t> words = writer(7);
  auto result = compiler->compile(requestFor(words));
  ASSERT_EQ(result.index(), 0u);
  EXPECT_EQ(runAndRead(*std::get<0>(result)), 7u);
  EXPECT_THAT(warnings, HasSubstr("/dev/null/nothing"));
}

}  // namespace
}  // namespace jit
