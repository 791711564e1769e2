// SPDX-License-Identifier: Apache-2.0

#include "jit/base/target.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/TargetParser/Host.h>
#include <unistd.h>

#include <algorithm>

namespace jit {
namespace {

// Whether this LLVM knows a feature; it complains on stderr of those that it does not.
bool isKnown(llvm::StringRef feature) {
  static constexpr llvm::StringLiteral kKnown[] = {
#define X86_FEATURE(name, text) text,
#include <llvm/TargetParser/X86TargetParser.def>
  };
  return llvm::is_contained(kKnown, feature);
}

void setFeatures(Target& target, const rt::CpuFeatures& features) {
  target.features = features;
  // Some CPUs ask compilers for 256-bit vectors because others would lower the clock for code
  // around them; a matrix kernel is no such code.
  target.feature_string = "-prefer-256-bit";
#define CPU_FEATURE(field, llvm_name)          \
  target.features.field &= isKnown(llvm_name); \
  if (target.features.field) target.feature_string += ",+" llvm_name;
#include "runtime/cpu_features.def"
}

rt::CpuFeatures featuresWithoutTiles(rt::Isa isa) {
  return rt::featuresAt(std::min(isa, rt::Isa::Avx512));
}

}  // namespace

Target makeTarget(rt::Isa isa, rt::Tiles tiles) {
  Target target;
  target.isa = isa;
  target.cpu = "x86-64";
  target.tune_cpu = llvm::sys::getHostCPUName().str();
  target.emulates_tiles = tiles != rt::Tiles::Hardware;
  setFeatures(target, target.emulates_tiles ? featuresWithoutTiles(isa) : rt::featuresAt(isa));
  if (target.emulates_tiles) {
    rt::CpuFeatures& emulated = target.features;
    emulated.amx_tile = emulated.amx_int8 = emulated.amx_bf16 = true;
    if (tiles == rt::Tiles::EmulatedNext) {
      emulated.amx_fp16 = true;
      // LLVM has intrinsics for those instructions of which it knows.
      emulated.amx_fp8 = isKnown("amx-fp8");
      emulated.amx_tf32 = isKnown("amx-tf32");
    }
  }
  target.vector_bytes = target.features.avx512f ? 64 : target.features.avx2 ? 32 : 16;
  target.first_level_bytes = uint64_t(std::max(sysconf(_SC_LEVEL1_DCACHE_SIZE), 0l));
  return target;
}

Target withoutHardwareTiles(Target target) {
  if (!target.emulates_tiles) setFeatures(target, featuresWithoutTiles(target.isa));
  return target;
}

}  // namespace jit
