// SPDX-License-Identifier: Apache-2.0

// Compilations on the timeline of TESSERA_TRACE.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "icd/device_report.h"
#include "jit/compiler.h"
#include "runtime/trace/trace.h"

namespace icd {

// That of one shader, from its making to its end; nothing where there is no trace.
class CompileTrace {
 public:
  CompileTrace(rt::Trace* trace, std::string name);
  ~CompileTrace();
  CompileTrace(const CompileTrace&) = delete;
  CompileTrace& operator=(const CompileTrace&) = delete;

  // For jit::CompileOutputs.
  std::vector<jit::StageTime>* stages() { return lane_ ? &stages_ : nullptr; }

  // What came of it; without, it was refused.
  void made(CodeOrigin origin, const jit::Kernel& kernel);

 private:
  std::optional<rt::Trace::Lane> lane_;
  const std::string name_;
  const uint64_t begin_;
  std::vector<jit::StageTime> stages_;
  rt::TraceArgs args_;
};

}  // namespace icd
