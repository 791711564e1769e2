// SPDX-License-Identifier: Apache-2.0

// Elementary functions, ours for a subgroup of 32 at a time beside the C library's for one number:
// nanoseconds a number, on the calling thread. Arguments are Google Benchmark's.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include "jit/ir/helper_function.h"
#include "jit/math/functions.h"
#include "tests/jit/coopmat/gemm_kernel.h"
#include "tests/jit/coopmat/jit_module.h"

namespace jit {
namespace {

constexpr uint32_t kLanes = 32;
constexpr uint32_t kNumbers = 1024;

struct Row {
  const char* name;
  math::Function function;
  float (*library)(float x, float y);
  uint32_t operands;
  float low, high;  // of the arguments
};

const Row kRows[] = {
#define UNARY_ROW(name, low, high) \
  {#name, math::Function::name, [](float x, float) { return std::name(x); }, 1, low, high}
#define BINARY_ROW(name, low, high) \
  {#name, math::Function::name, [](float x, float y) { return std::name(x, y); }, 2, low, high}
    UNARY_ROW(exp, -20, 20),
    UNARY_ROW(exp2, -20, 20),
    UNARY_ROW(log, 0.01f, 100),
    UNARY_ROW(log2, 0.01f, 100),
    BINARY_ROW(pow, 0.1f, 10),
    UNARY_ROW(sin, -100, 100),
    {"sin of large", math::Function::sin, [](float x, float) { return std::sin(x); }, 1, 1e6f,
     1e20f},
    UNARY_ROW(cos, -100, 100),
    UNARY_ROW(tan, -100, 100),
    UNARY_ROW(asin, -1, 1),
    UNARY_ROW(acos, -1, 1),
    UNARY_ROW(atan, -10, 10),
    BINARY_ROW(atan2, -10, 10),
    UNARY_ROW(sinh, -10, 10),
    UNARY_ROW(cosh, -10, 10),
    UNARY_ROW(tanh, -5, 5),
    UNARY_ROW(asinh, -100, 100),
    UNARY_ROW(acosh, 1, 100),
    UNARY_ROW(atanh, -0.99f, 0.99f),
    {"remainder", math::Function::remainder, [](float x, float y) { return std::fmod(x, y); }, 2,
     0.1f, 10},
#undef UNARY_ROW
#undef BINARY_ROW
};

std::vector<float> numbers(const Row& row, uint32_t seed) {
  std::vector<float> result;
  for (uint32_t k = 0; k < kNumbers; ++k) {
    seed = seed * 1664525 + 1013904223;
    result.push_back(row.low + (row.high - row.low) * static_cast<float>(seed >> 8) * 0x1p-24f);
  }
  return result;
}

void setRate(benchmark::State& state) {
  state.counters["ns"] = benchmark::Counter(
      kNumbers * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void runOurs(benchmark::State& state, const Row& row, rt::Isa isa) {
  test::JitModule module(makeTarget(isa));
  llvm::Function* function = module.subgroupFunction("numbers");
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.context(), "entry", function));
  auto* type = llvm::FixedVectorType::get(builder.getFloatTy(), kLanes);
  ukernel::emitLoop(builder, builder.getInt64(kNumbers), kLanes, [&](llvm::Value* i) {
    auto at = [&](unsigned argument) {
      return builder.CreateGEP(builder.getFloatTy(), function->getArg(argument), {i});
    };
    llvm::SmallVector<llvm::Value*, 2> x;
    for (unsigned k = 0; k < row.operands; ++k)
      x.push_back(builder.CreateAlignedLoad(type, at(k), llvm::Align(4)));
    builder.CreateAlignedStore(math::call(builder, module.target(), row.function, x), at(2),
                               llvm::Align(4));
  });
  builder.CreateRetVoid();
  auto* compiled = reinterpret_cast<test::SubgroupFunction>(module.compile("numbers"));
  std::vector<float> x = numbers(row, 1), y = numbers(row, 2), result(kNumbers);
  for (auto _ : state) {
    compiled(x.data(), y.data(), result.data(), 0, 0, 0, 0);
    benchmark::DoNotOptimize(result.data());
  }
  setRate(state);
}

void runLibrary(benchmark::State& state, const Row& row) {
  std::vector<float> x = numbers(row, 1), y = numbers(row, 2), result(kNumbers);
  for (auto _ : state) {
    for (uint32_t k = 0; k < kNumbers; ++k) result[k] = row.library(x[k], y[k]);
    benchmark::DoNotOptimize(result.data());
  }
  setRate(state);
}

void registerAll() {
  for (const Row& row : kRows) {
    const std::string name = row.name;
    for (rt::Isa isa : {rt::Isa::Avx2, rt::Isa::Avx512}) {
      if (isa > rt::hostIsa()) continue;
      benchmark::RegisterBenchmark(
          (name + "/" + std::string(rt::isaName(isa))).c_str(),
          [=, &row](benchmark::State& state) { runOurs(state, row, isa); });
    }
    benchmark::RegisterBenchmark((name + "/library").c_str(),
                                 [&row](benchmark::State& state) { runLibrary(state, row); });
  }
}

}  // namespace
}  // namespace jit

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  jit::registerAll();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
