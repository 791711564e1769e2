// SPDX-License-Identifier: Apache-2.0

// The uniformity analysis of a piece of code in SPIR-V assembly, for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "jit/analysis/uniformity.h"
#include "tests/jit/spirv/assembled_module.h"

namespace jit::simt {

void PrintTo(Uniformity level, std::ostream* stream);

inline constexpr Uniformity kWorkgroup = Uniformity::Workgroup;
inline constexpr Uniformity kSubgroup = Uniformity::Subgroup;
inline constexpr Uniformity kVarying = Uniformity::Varying;

inline constexpr WorkgroupShape kFourSubgroups{{128, 1, 1}, 32};
inline constexpr WorkgroupShape kWideStream{{128, 1, 1}, 32, 128};  // the same as one stream

class Analysis {
 public:
  // `code` follows the label of main's first block, %entry. %lane (varying), %sub (SubgroupId) and
  // %group (WorkgroupId.x) are loaded there, and so are comparisons of them with 2: %lane_less,
  // %sub_less, %group_less. `variables` come before all that.
  explicit Analysis(const std::string& code, const WorkgroupShape& shape = kFourSubgroups,
                    const std::string& variables = "", const std::string& declarations = "",
                    const std::string& extensions = "");

  const UniformityAnalysis& operator*() const { return *uniformity_; }
  const UniformityAnalysis* operator->() const { return uniformity_.get(); }
  spirv::Id id(const std::string& name) const {
    const spirv::Id found = spirv::named(*module_, name);
    EXPECT_NE(found, 0u) << name;
    return found;
  }
  uint32_t node(const std::string& label) const { return linearization_->nodeOf(id(label)); }
  const Linearization& flow() const { return *linearization_; }
  const spirv::Module& module() const { return *module_; }
  spirv::Module& writableModule() { return *module_; }  // the analysis is of what it was before

  Uniformity of(const std::string& name, uint32_t component = 0) const {
    return uniformity_->of(id(name), component);
  }
  Uniformity at(const std::string& name, const std::string& label) const {
    return uniformity_->at(id(name), node(label));
  }
  Uniformity variable(const std::string& name) const { return uniformity_->variable(id(name)); }

 private:
  std::unique_ptr<spirv::Module> module_;
  std::unique_ptr<Linearization> linearization_;
  std::unique_ptr<UniformityAnalysis> uniformity_;
};

}  // namespace jit::simt
