// SPDX-License-Identifier: Apache-2.0

#include "runtime/cpu_features.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace rt {
namespace {

constexpr Isa kIsas[] = {Isa::Reference, Isa::Avx2, Isa::Avx512, Isa::Amx};

TEST(CpuFeatures, NamesRoundTrip) {
  for (Isa isa : kIsas) EXPECT_EQ(parseIsa(isaName(isa)), isa);
  EXPECT_EQ(isaName(Isa::Avx512), "avx512");
  EXPECT_EQ(parseIsa(""), std::nullopt);
  EXPECT_EQ(parseIsa("AVX2"), std::nullopt);
  EXPECT_EQ(parseTiles("hardware"), Tiles::Hardware);
  EXPECT_EQ(parseTiles("emulated-next"), Tiles::EmulatedNext);
  EXPECT_EQ(parseTiles("emulate"), std::nullopt);
}

TEST(CpuFeatures, CeilingsIncludeEachOther) {
  CpuFeatures below;  // of the previous ceiling
  for (Isa isa : kIsas) {
    CpuFeatures features = featuresAt(isa);
#define CPU_FEATURE(field, llvm_name)                    \
  EXPECT_TRUE(features.field || !below.field) << #field; \
  EXPECT_TRUE(hostCpuFeatures().field || !features.field) << #field;
#include "runtime/cpu_features.def"
    below = features;
  }
}

TEST(CpuFeatures, ReferenceUsesNothing) {
  CpuFeatures features = featuresAt(Isa::Reference);
#define CPU_FEATURE(field, llvm_name) EXPECT_FALSE(features.field) << #field;
#include "runtime/cpu_features.def"
}

TEST(CpuFeatures, CeilingKeepsHigherOnesOut) {
  CpuFeatures features = featuresAt(Isa::Avx2);
  EXPECT_FALSE(features.avx512f);
  EXPECT_FALSE(features.avx512_vnni);
  EXPECT_FALSE(featuresAt(Isa::Avx512).amx_tile);
  if (hostIsa() >= Isa::Avx2) {
    EXPECT_TRUE(features.fma);
  }
  if (hostIsa() >= Isa::Avx512) {
    EXPECT_TRUE(featuresAt(Isa::Avx512).avx512vl);
  }
}

TEST(CpuFeatures, AgreeWithTheSystem) {
  // Names of /proc/cpuinfo, where they differ from LLVM's.
  const std::map<std::string, std::string> names = {{"avxvnni", "avx_vnni"},
                                                    {"lzcnt", "abm"},
                                                    {"bmi", "bmi1"},
                                                    {"avx512vbmi2", "avx512_vbmi2"},
                                                    {"avx512bitalg", "avx512_bitalg"},
                                                    {"avx512vpopcntdq", "avx512_vpopcntdq"},
                                                    {"avx512vnni", "avx512_vnni"},
                                                    {"avx512bf16", "avx512_bf16"},
                                                    {"avx512fp16", "avx512_fp16"},
                                                    {"amx-tile", "amx_tile"},
                                                    {"amx-int8", "amx_int8"},
                                                    {"amx-bf16", "amx_bf16"},
                                                    {"amx-fp16", "amx_fp16"}};
  std::set<std::string> flags;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) flags.insert(word);
    break;
  }
  if (flags.empty()) GTEST_SKIP() << "the system does not tell";
  const CpuFeatures& host = hostCpuFeatures();
  auto told = [&](const char* llvm_name) {
    auto name = names.find(llvm_name);
    return flags.contains(name == names.end() ? llvm_name : name->second);
  };
  // Linux tells nothing of the leaf of CPUID that has these.
  const std::set<std::string> untold = {"amx-fp8", "amx-tf32"};
#define CPU_FEATURE(field, llvm_name) \
  EXPECT_TRUE(untold.contains(llvm_name) || host.field == told(llvm_name)) << llvm_name;
#include "runtime/cpu_features.def"
}

}  // namespace
}  // namespace rt
