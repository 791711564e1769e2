// SPDX-License-Identifier: Apache-2.0

#include "icd/compile_trace.h"

#include <span>
#include <string_view>
#include <utility>

#include "runtime/clock.h"

namespace icd {

CompileTrace::CompileTrace(rt::Trace* trace, std::string name)
    : name_(std::move(name)), begin_(rt::now()) {
  if (trace != nullptr) lane_.emplace(*trace);
}

CompileTrace::~CompileTrace() {
  if (!lane_) return;
  if (args_.text().empty()) args_.add("outcome", std::string_view("refused"));
  lane_->span("compile", name_, begin_, rt::now(), args_);
  for (const jit::StageTime& stage : stages_)
    lane_->span("compile", stage.name, stage.begin, stage.end);
}

void CompileTrace::made(CodeOrigin origin, const jit::Kernel& kernel) {
  if (!lane_) return;
  args_.add("outcome", std::string_view(nameOf(origin)));
  args_.add("bytes of code", kernel.code_bytes);
  args_.add("workgroup size", std::span<const uint32_t>(kernel.workgroup_size));
  args_.add("subgroup size", uint64_t{kernel.subgroup_size});
  args_.add("bytes of shared memory", uint64_t{kernel.declared_shared_bytes});
}

}  // namespace icd
