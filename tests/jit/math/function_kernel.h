// SPDX-License-Identifier: Apache-2.0

// A shader that applies one instruction to every element of its buffers, for tests that compare
// what it computes with a reference.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jit/compiler.h"

namespace jit::test {

// The instruction sets that this machine has, the reference first.
std::vector<rt::Isa> machineIsas();

struct FunctionShader {
  // SPIR-V text that defines %result from %x, %y and %z, which are of type %from; may use %glsl,
  // %from, %to, %uint and %int.
  std::string code;
  uint32_t operands = 1;
  // Types of the operands and of the result: "float 32", "int 32 1" and so on.
  std::string from = "float 32", to = "float 32";
  bool uniform = false;  // a workgroup for each element, not an invocation
  std::string capabilities, extensions, execution_modes, annotations, declarations;
};

class FunctionKernel {
 public:
  // A test failure when the shader is refused.
  FunctionKernel(const FunctionShader& shader, rt::Isa isa, uint32_t subgroup_size = 32);

  // Applies it to `count` elements; buffers as the shader's types have them, `operands` of them.
  void run(uint32_t count, std::vector<const void*> operands, void* result) const;

  // Bytes of elements, and the elements of typed vectors.
  template <typename To, typename From>
  std::vector<To> map(const std::vector<From>& x, const std::vector<From>& y = {},
                      const std::vector<From>& z = {}) const {
    std::vector<To> result(x.size());
    run(static_cast<uint32_t>(x.size()), {x.data(), y.data(), z.data()}, result.data());
    return result;
  }

 private:
  std::shared_ptr<const Kernel> kernel_;
  uint32_t operands_, operand_bytes_, result_bytes_;
  uint32_t elements_;  // of a workgroup
};

}  // namespace jit::test
