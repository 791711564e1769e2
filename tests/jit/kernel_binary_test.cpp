// SPDX-License-Identifier: Apache-2.0

// Keys of kernels, and kernels that come back from bytes.
#include "jit/kernel_binary.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "tests/jit/spirv/assembled_module.h"

namespace jit {
namespace {

coopmat::Tables someTables() {
  const coopmat::FlexibleShape half{16,
                                    16,
                                    16,
                                    coopmat::Component::F16,
                                    coopmat::Component::F16,
                                    coopmat::Component::F32,
                                    coopmat::Component::F32,
                                    false};
  return {.fixed = {coopmat::shapes().front()}, .nv = {}, .flexible = {half}};
}

struct Request {
  std::vector<uint32_t> words = {1, 2, 3};
  std::string entry_point = "main";
  std::array<std::byte, 8> value{};
  std::vector<Specialization> specializations{{7, std::span(value).first(4)}};
  std::vector<BindingLayout> bindings{{0, 1, DescriptorKind::StorageBuffer, 1, 0, -1}};
  Target target{.isa = rt::Isa::Avx2,
                .features = {},
                .cpu = "x86-64",
                .feature_string = "+avx2",
                .tune_cpu = "znver4",
                .vector_bytes = 32};
  KernelRequest kernel;
  coopmat::Tables tables = someTables();

  KernelKey key() {
    kernel.spirv = words;
    kernel.entry_point = entry_point;
    kernel.specializations = specializations;
    kernel.bindings = bindings;
    return keyOf(kernel, target);
  }
};

TEST(KernelKey, TellsEverythingApartThatCodeDependsOn) {
  const std::function<void(Request&)> changes[] = {
      [](Request&) {},
      [](Request& r) { r.words.push_back(0); },
      [](Request& r) { r.words[2] = 4; },
      [](Request& r) { r.entry_point = "main2"; },
      [](Request& r) { r.specializations[0].id = 8; },
      [](Request& r) { r.value[3] = std::byte{1}; },
      [](Request& r) { r.specializations[0].value = std::span(r.value).first(8); },
      [](Request& r) { r.specializations.clear(); },
      [](Request& r) { r.specializations.push_back(r.specializations[0]); },
      [](Request& r) { r.bindings.clear(); },
      [](Request& r) { r.bindings[0].set = 1; },
      [](Request& r) { r.bindings[0].binding = 0; },
      [](Request& r) { r.bindings[0].kind = DescriptorKind::UniformBuffer; },
      [](Request& r) { r.bindings[0].count = 2; },
      [](Request& r) { r.bindings[0].offset = 16; },
      [](Request& r) { r.bindings[0].dynamic_index = 0; },
      [](Request& r) { r.kernel.subgroup_size = 16; },
      [](Request& r) { r.kernel.require_full_subgroups = true; },
      [](Request& r) { r.kernel.large_buffers = true; },
      [](Request& r) { r.kernel.robust_storage_buffers = false; },
      [](Request& r) { r.kernel.robust_uniform_buffers = false; },
      [](Request& r) { r.kernel.robust_variables = true; },
      [](Request& r) { r.kernel.checks.add(rt::Check::Memory); },
      [](Request& r) { r.kernel.memory_check.storage_buffers ^= true; },
      [](Request& r) { r.kernel.memory_check.uniform_buffers ^= true; },
      [](Request& r) { r.kernel.memory_check.null_descriptors ^= true; },
      [](Request& r) { r.kernel.memory_check.carries_out ^= true; },
      [](Request& r) { r.kernel.undefined_decisions = {}; },
      [](Request& r) { r.kernel.component_layout = coopmat::Mapping::Nvidia; },
      [](Request& r) { r.kernel.component_layout = coopmat::Mapping::Ptx; },
      [](Request& r) { r.kernel.matrices = &r.tables; },
      [](Request& r) {
        r.kernel.matrices = &r.tables;
        r.tables.fixed[0].k = 8;
      },
      [](Request& r) {
        r.kernel.matrices = &r.tables;
        r.tables.nv = r.tables.fixed;
      },
      [](Request& r) {
        r.kernel.matrices = &r.tables;
        r.tables.flexible[0].scope = coopmat::Scope::Subgroup;
      },
      [](Request& r) {
        r.kernel.matrices = &r.tables;
        r.tables.flexible[0].invocations = 128;
      },
      [](Request& r) {
        r.kernel.matrices = &r.tables;
        r.tables.max_dimension = 512;
      },
      [](Request& r) {
        r.kernel.matrices = &r.tables;
        r.tables.max_workgroup = 256;
      },
      [](Request& r) {
        r.kernel.matrices = &r.tables;
        r.tables.reserved_shared_bytes = 8192;
      },
      [](Request& r) { r.target.isa = rt::Isa::Avx512; },
      [](Request& r) { r.target.cpu = "znver4"; },
      [](Request& r) { r.target.feature_string = "+avx2,+f16c"; },
      [](Request& r) { r.target.tune_cpu = "znver3"; },
      [](Request& r) { r.target.first_level_bytes = 48 << 10; },
      [](Request& r) { r.target.vector_bytes = 16; },
      [](Request& r) { r.target.exact = true; },
      [](Request& r) { r.target.emulates_tiles = true; },
      [](Request& r) { r.target.features.amx_fp16 = true; },
  };
  std::set<KernelKey> keys;
  for (const auto& change : changes) {
    Request request;
    change(request);
    keys.insert(request.key());
  }
  EXPECT_EQ(keys.size(), std::size(changes));
}

TEST(KernelKey, DoesNotDependOnNamesOrAddresses) {
  Request one, other;
  other.kernel.name = "a name";
  EXPECT_EQ(one.key(), other.key());
}

// What a checked kernel finds is said to be of the shader with the name.
TEST(KernelKey, OfACheckedKernelDependsOnItsName) {
  Request one, other;
  for (Request* request : {&one, &other}) request->kernel.checks.add(rt::Check::Memory);
  EXPECT_EQ(one.key(), other.key());
  other.kernel.name = "a name";
  EXPECT_NE(one.key(), other.key());
}

class KernelBinaryTest : public testing::Test {
 protected:
  KernelBinaryTest() {
    auto created = Compiler::create({.isa = rt::hostIsa(), .dump_directory = {}, .warn = {}});
    compiler = std::get<std::unique_ptr<Compiler>>(std::move(created));
    words = spirv::assemble(spirv::shader(R"(
        %shared_word = OpTypePointer Workgroup %uint
        %word = OpVariable %shared_word Workgroup)",
                                          R"(
        %entry = OpLabel
        OpStore %word %u3
        OpReturn
        OpFunctionEnd)"));
    request.spirv = words;
    request.entry_point = "main";
  }

  std::unique_ptr<Compiler> compiler;
  std::vector<uint32_t> words;
  KernelRequest request;
};

TEST_F(KernelBinaryTest, RunsElsewhere) {
  std::vector<std::byte> binary;
  auto compiled = compiler->compile(request, {.binary = &binary});
  ASSERT_EQ(compiled.index(), 0u) << std::get<1>(compiled).message;
  const Kernel original = *std::get<0>(compiled);
  compiler =
      std::get<0>(Compiler::create({.isa = rt::hostIsa(), .dump_directory = {}, .warn = {}}));
  auto loaded = compiler->load(binary);
  ASSERT_EQ(loaded.index(), 0u) << std::get<1>(loaded).message;
  const Kernel& kernel = *std::get<0>(loaded);
  EXPECT_EQ(kernel.workgroup_size, original.workgroup_size);
  EXPECT_EQ(kernel.subgroup_size, original.subgroup_size);
  EXPECT_EQ(kernel.shared_bytes, original.shared_bytes);
  EXPECT_EQ(kernel.scratch_bytes, original.scratch_bytes);
  EXPECT_EQ(kernel.remarks, original.remarks);
  EXPECT_EQ(kernel.used_sets, original.used_sets);
  EXPECT_NE(kernel.entry, original.entry);
  alignas(64) std::array<uint32_t, 64> shared{};
  const rt::DispatchArgs args{};
  const rt::WorkgroupMemory memory{reinterpret_cast<std::byte*>(shared.data()), nullptr};
  kernel.entry(&args, &memory, 0, 0, 0, 1);
  EXPECT_EQ(shared[0], 3u);
}

TEST_F(KernelBinaryTest, OfARefusedRequestIsEmpty) {
  std::vector<std::byte> binary(5);
  request.entry_point = "nowhere";
  EXPECT_EQ(compiler->compile(request, {.binary = &binary}).index(), 1u);
  EXPECT_TRUE(binary.empty());
}

TEST_F(KernelBinaryTest, WhatIsObviouslyNoneIsRefused) {
  std::vector<std::byte> binary;
  ASSERT_EQ(compiler->compile(request, {.binary = &binary}).index(), 0u);
  const std::span whole(binary);
  for (size_t size : {size_t{0}, size_t{10}, size_t{24}, size_t{30}, size_t{80}}) {
    auto loaded = compiler->load(whole.first(size));
    ASSERT_EQ(loaded.index(), 1u) << size;
    EXPECT_NE(std::get<1>(loaded).message, "");
  }
  std::vector<std::byte> zeros(binary.size());
  EXPECT_EQ(compiler->load(zeros).index(), 1u);
}

}  // namespace
}  // namespace jit
