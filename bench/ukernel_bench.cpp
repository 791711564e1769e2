// SPDX-License-Identifier: Apache-2.0

// Every microkernel row, alone: multiplication through full panels, and packing, by operation.
// Rates are of the calling thread's CPU time. Arguments are Google Benchmark's.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "jit/matrix/shapes.h"
#include "jit/ukernel/packed_gemm.h"
#include "tests/jit/coopmat/gemm_kernel.h"
#include "tests/jit/coopmat/jit_module.h"

namespace jit {
namespace {

using coopmat::Layout;
using coopmat::MulAdd;

constexpr uint32_t kTiles = 4;  // of A and of B: a subgroup's part in a register-blocked shader
constexpr size_t kAlignment = size_t{1} << 21;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, Free>;

Memory allocate(size_t bytes) {
  size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  Memory memory(std::aligned_alloc(kAlignment, rounded));
  std::memset(memory.get(), 0, rounded);
  return memory;
}

enum class Part { Multiply, PackA, PackB };

// One call of `part`: multiplies full panels, or packs one step of each tile of a K-contiguous
// (A) or N-contiguous (B) matrix whose lines are 4 KiB apart.
void run(benchmark::State& state, const ukernel::Row& row, const MulAdd& op, Part part,
         Layout layout) {
  Target target = makeTarget(rt::hostIsa());
  test::JitModule module(target);
  uint32_t capacity = ukernel::PackedGemm::preferredCapacity(row, op, kTiles, kTiles, false);
  ukernel::PackedGemm gemm(row, op, kTiles, kTiles, capacity);
  llvm::Function* function = module.subgroupFunction("part");
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.context(), "entry", function));
  ukernel::HelperScope scope{module.module(), *function};
  llvm::Value* frame = function->getArg(2);
  gemm.emitBeginKBlock(builder, frame);
  uint64_t line_bytes = 4096;
  for (uint32_t tile = 0; part != Part::Multiply && tile < kTiles; ++tile) {
    bool is_a = part == Part::PackA;
    bool along_lines = is_a == (layout == Layout::Column);
    uint64_t extent = is_a ? op.m : op.n;
    uint64_t offset =
        tile * extent * (along_lines ? coopmat::bytesOf(is_a ? op.a : op.b) : line_bytes);
    ukernel::TileMemory source{ukernel::offsetBy(builder, function->getArg(0), offset),
                               builder.getInt64(line_bytes), builder.getInt64(-1)};
    llvm::Value* step = builder.CreateZExt(function->getArg(3), builder.getInt64Ty());
    if (is_a) {
      gemm.emitPackA(scope, builder, frame, tile, step, source, layout);
    } else {
      gemm.emitPackB(scope, builder, frame, tile, step, source, layout);
    }
  }
  if (part == Part::Multiply) {
    gemm.emitMultiply(scope, builder, frame, {.steps = builder.getInt64(capacity)});
  }
  builder.CreateRetVoid();
  auto* compiled = reinterpret_cast<test::SubgroupFunction>(module.compile("part"));
  Memory memory = allocate(gemm.bytes());
  Memory source = allocate(line_bytes * 1024);
  uint32_t step = 0;
  for (auto _ : state) {
    compiled(source.get(), nullptr, memory.get(), step, 0, 0, 0);
    step = (step + 1) % capacity;
  }
  double work = part == Part::Multiply
                    ? 2.0 * op.m * kTiles * op.n * kTiles * op.k * capacity
                    : double{kTiles} * op.k * (part == Part::PackA ? op.m : op.n);
  state.counters[part == Part::Multiply ? "op" : "components"] =
      benchmark::Counter(work, benchmark::Counter::kIsIterationInvariantRate);
}

void registerAll() {
  Target target = makeTarget(rt::hostIsa());
  for (const ukernel::Row& row : ukernel::rows()) {
    if (!row.runs(target)) continue;
    for (const coopmat::Shape& shape : coopmat::shapes()) {
      MulAdd op{shape.m, shape.n, shape.k,      shape.a,
                shape.b, shape.c, shape.result, shape.saturating};
      if (!row.arithmetic->accepts(op)) continue;
      auto add = [&](const std::string& what, Part part, Layout layout) {
        std::string name = std::string(row.name) + "/" + coopmat::describe(shape) + "/" + what;
        benchmark::RegisterBenchmark(name.c_str(), [=, &row](benchmark::State& state) {
          run(state, row, op, part, layout);
        });
      };
      add("multiply", Part::Multiply, Layout::Row);
      add("pack A by rows", Part::PackA, Layout::Row);
      add("pack A by columns", Part::PackA, Layout::Column);
      add("pack B by rows", Part::PackB, Layout::Row);
      add("pack B by columns", Part::PackB, Layout::Column);
    }
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
