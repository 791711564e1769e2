// SPDX-License-Identifier: Apache-2.0

// A fixture: K-loop scheduling on small functions.
#pragma once

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "jit/coopmat/k_loop.h"
#include "jit/ukernel/packed_gemm.h"
#include "tests/jit/coopmat/gemm_kernel.h"
#include "tests/jit/coopmat/jit_module.h"

namespace jit::coopmat {

// The pass on small functions: what is scheduled, and what is left as it is. Matrices are 16x16
// f16 and f32, `frame` is 4 KiB and more of zeros besides.
class KLoopShapeTest : public testing::Test {
 protected:
  static constexpr char kPrologue[] = R"(
declare !tessera.matrix !{!"load", i32 0, i32 16, i32 16, i32 0} <256 x half> @tessera.matrix.load.v256half.16.16.0(ptr, i64, i64) memory(argmem: read) nounwind willreturn
declare !tessera.matrix !{!"store", i32 4, i32 16, i32 16, i32 0} void @tessera.matrix.store.v256float.16.16.0(<256 x float>, ptr, i64, i64) memory(argmem: write) nounwind willreturn
declare !tessera.matrix !{!"muladd", i32 16, i32 16, i32 16, i32 0, i32 0, i32 4, i32 4, i32 0, i32 1} <256 x float> @tessera.matrix.muladd(<256 x half>, <256 x half>, <256 x float>) memory(none) nounwind willreturn
declare !tessera.function !{!"barrier"} void @tessera.barrier()
declare void @copy(ptr readonly, ptr) memory(argmem: readwrite) nounwind willreturn
define void @f(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %subgroup) !tessera.function !{!"subgroup"} {
)";

  // Multiply-adds that are left after scheduling `body`.
  int left(std::string body) {
    auto replace = [&](const std::string& from, const std::string& to) {
      for (size_t at; (at = body.find(from)) != std::string::npos;)
        body.replace(at, from.size(), to);
    };
    replace("MULADD(", "call <256 x float> @tessera.matrix.muladd(");
    replace("LOAD", "call <256 x half> @tessera.matrix.load.v256half.16.16.0");
    replace("STORE", "call void @tessera.matrix.store.v256float.16.16.0");
    body = kPrologue + body + "}\n";
    module_.parse(body);
    llvm::Function& function = *module_.module().getFunction("f");
    module_.schedule(function);
    int count = 0;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      count += matchMulAdd(&instruction).has_value();
    }
    EXPECT_EQ(module_.lower(), "");
    return count;
  }

  // Whether `body`, all of whose multiply-adds are scheduled, looks for panels that other
  // workgroups packed.
  bool shares(const std::string& body) {
    EXPECT_EQ(left(body), 0);
    return module_.module().getFunction(ukernel::kFindPanel) != nullptr;
  }

  // Runs what `left` made, with A and B tiles of ones: `d` starts with two tiles of half ones,
  // and room for two f32 tiles lies 1 KiB after.
  std::vector<float> run() {
    auto* function = reinterpret_cast<test::SubgroupFunction>(module_.compile("f"));
    std::vector<uint16_t> memory(512 + 1024, 0x3c00);
    std::fill(memory.begin() + 512, memory.end(), 0);
    std::unique_ptr<void, decltype(&std::free)> frame(
        std::aligned_alloc(64, module_.frame.bytes() + 64), &std::free);
    function(memory.data(), nullptr, frame.get(), 5, 3, 0, 0);
    std::vector<float> result(512);
    std::memcpy(result.data(), memory.data() + 512, 2048);
    return result;
  }

  // Tiles announce themselves where they are stored.
  test::JitModule module_{withoutHardwareTiles(makeTarget(rt::hostIsa()))};
};

}  // namespace jit::coopmat
