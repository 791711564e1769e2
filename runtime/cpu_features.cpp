// SPDX-License-Identifier: Apache-2.0

#include "runtime/cpu_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <iterator>

namespace rt {

namespace {

#if defined(__x86_64__)

enum Register { Eax, Ebx, Ecx, Edx };

// Bits of XCR0: state that the system saves. Source: Intel SDM volume 1, 13.3.
constexpr uint64_t kAvxState = 0x6;      // SSE, AVX
constexpr uint64_t kAvx512State = 0xe6;  // and opmask, ZMM_Hi256, Hi16_ZMM
constexpr uint64_t kAmxState = 0x60006;  // AVX, and XTILECFG, XTILEDATA

// Where CPUID tells of a feature, what it needs, and the lowest ceiling that has it.
// Source: Intel SDM volume 2, CPUID; leaf 0x1e from Intel's Instruction Set Extensions Programming
// Reference.
struct FeatureBit {
  bool CpuFeatures::* field;
  unsigned leaf, subleaf;
  Register reg;
  unsigned bit;
  uint64_t state;
  Isa isa;
};

constexpr FeatureBit kFeatureBits[] = {
    {&CpuFeatures::fma, 1, 0, Ecx, 12, kAvxState, Isa::Avx2},
    {&CpuFeatures::f16c, 1, 0, Ecx, 29, kAvxState, Isa::Avx2},
    {&CpuFeatures::avx2, 7, 0, Ebx, 5, kAvxState, Isa::Avx2},
    {&CpuFeatures::popcnt, 1, 0, Ecx, 23, 0, Isa::Avx2},
    {&CpuFeatures::lzcnt, 0x80000001, 0, Ecx, 5, 0, Isa::Avx2},
    {&CpuFeatures::bmi1, 7, 0, Ebx, 3, 0, Isa::Avx2},
    {&CpuFeatures::bmi2, 7, 0, Ebx, 8, 0, Isa::Avx2},
    {&CpuFeatures::gfni, 7, 0, Ecx, 8, kAvxState, Isa::Avx2},
    {&CpuFeatures::avx_vnni, 7, 1, Eax, 4, kAvxState, Isa::Avx2},
    {&CpuFeatures::avx512f, 7, 0, Ebx, 16, kAvx512State, Isa::Avx512},
    {&CpuFeatures::avx512bw, 7, 0, Ebx, 30, kAvx512State, Isa::Avx512},
    {&CpuFeatures::avx512dq, 7, 0, Ebx, 17, kAvx512State, Isa::Avx512},
    {&CpuFeatures::avx512vl, 7, 0, Ebx, 31, kAvx512State, Isa::Avx512},
    {&CpuFeatures::avx512cd, 7, 0, Ebx, 28, kAvx512State, Isa::Avx512},
    {&CpuFeatures::avx512_vbmi, 7, 0, Ecx, 1, kAvx512State, Isa::Avx512},
    {&CpuFeatures::avx512_vbmi2, 7, 0, Ecx, 6, kAvx512State, Isa::Avx512},
    {&CpuFeatures::avx512_ifma, 7, 0, Ebx, 21, kAvx512State, Isa::Avx512},
    {&CpuFeatures::avx512_bitalg, 7, 0, Ecx, 12, kAvx512State, Isa::Avx512},
    {&CpuFeatures::avx512_vpopcntdq, 7, 0, Ecx, 14, kAvx512State, Isa::Avx512},
    {&CpuFeatures::avx512_vnni, 7, 0, Ecx, 11, kAvx512State, Isa::Avx512},
    {&CpuFeatures::avx512_bf16, 7, 1, Eax, 5, kAvx512State, Isa::Avx512},
    {&CpuFeatures::avx512_fp16, 7, 0, Edx, 23, kAvx512State, Isa::Avx512},
    {&CpuFeatures::amx_tile, 7, 0, Edx, 24, kAmxState, Isa::Amx},
    {&CpuFeatures::amx_int8, 7, 0, Edx, 25, kAmxState, Isa::Amx},
    {&CpuFeatures::amx_bf16, 7, 0, Edx, 22, kAmxState, Isa::Amx},
    {&CpuFeatures::amx_fp16, 7, 1, Eax, 21, kAmxState, Isa::Amx},
    {&CpuFeatures::amx_fp8, 0x1e, 1, Eax, 4, kAmxState, Isa::Amx},
    {&CpuFeatures::amx_tf32, 0x1e, 1, Eax, 6, kAmxState, Isa::Amx},
};
static_assert(std::size(kFeatureBits) == sizeof(CpuFeatures) / sizeof(bool),
              "a row for each feature of cpu_features.def");

uint64_t savedState() {
  unsigned eax, ebx, ecx, edx;
  constexpr unsigned kOsxsave = 1u << 27;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & kOsxsave)) return 0;
  unsigned low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

CpuFeatures detect() {
  CpuFeatures features;
  uint64_t saved = savedState();
  for (const FeatureBit& row : kFeatureBits) {
    unsigned registers[4] = {};
    // __get_cpuid_count checks the leaf; a subleaf that does not exist reads as zero.
    if (!__get_cpuid_count(row.leaf, row.subleaf, &registers[Eax], &registers[Ebx], &registers[Ecx],
                           &registers[Edx])) {
      continue;
    }
    bool present = registers[row.reg] >> row.bit & 1;
    features.*row.field = present && (saved & row.state) == row.state;
  }
  return features;
}

CpuFeatures limit(CpuFeatures features, Isa ceiling) {
  for (const FeatureBit& row : kFeatureBits) {
    if (row.isa > ceiling) features.*row.field = false;
  }
  return features;
}

#else

CpuFeatures detect() { return {}; }
CpuFeatures limit(CpuFeatures features, Isa) { return features; }

#endif

constexpr std::string_view kIsaNames[] = {"reference", "avx2", "avx512", "amx"};

constexpr std::string_view kTilesNames[] = {"hardware", "emulated", "emulated-next"};

template <typename Enum, size_t kCount>
std::optional<Enum> parseName(const std::string_view (&names)[kCount], std::string_view name) {
  for (size_t i = 0; i < kCount; ++i) {
    if (name == names[i]) return Enum(i);
  }
  return std::nullopt;
}

}  // namespace

const CpuFeatures& hostCpuFeatures() {
  static const CpuFeatures features = detect();
  return features;
}

CpuFeatures featuresAt(Isa ceiling) {
  return limit(hostCpuFeatures(), ceiling < hostIsa() ? ceiling : hostIsa());
}

Isa hostIsa() {
  const CpuFeatures& host = hostCpuFeatures();
  if (!(host.avx2 && host.fma && host.f16c && host.bmi2)) return Isa::Reference;
  if (!(host.avx512f && host.avx512bw && host.avx512dq && host.avx512vl && host.avx512cd)) {
    return Isa::Avx2;
  }
  return host.amx_tile ? Isa::Amx : Isa::Avx512;
}

std::string_view isaName(Isa isa) { return kIsaNames[size_t(isa)]; }

std::optional<Isa> parseIsa(std::string_view name) { return parseName<Isa>(kIsaNames, name); }

std::optional<Tiles> parseTiles(std::string_view name) {
  return parseName<Tiles>(kTilesNames, name);
}

}  // namespace rt
