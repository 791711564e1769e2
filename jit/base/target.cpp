// SPDX-License-Identifier: Apache-2.0

#include "jit/base/target.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/TargetParser/Host.h>

namespace jit {

Target makeTarget(rt::Isa isa) {
  Target target;
  target.isa = isa;
  target.features = rt::featuresAt(isa);
  target.cpu = "x86-64";
  target.tune_cpu = llvm::sys::getHostCPUName().str();
  // Some CPUs ask compilers for 256-bit vectors because others would lower the clock for code
  // around them; a matrix kernel is no such code.
  target.feature_string = "-prefer-256-bit";
#define CPU_FEATURE(field, llvm_name) \
  if (target.features.field) target.feature_string += ",+" llvm_name;
#include "runtime/cpu_features.def"
  target.vector_bytes = target.features.avx512f ? 64 : target.features.avx2 ? 32 : 16;
  return target;
}

}  // namespace jit
