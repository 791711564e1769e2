// SPDX-License-Identifier: Apache-2.0

// The guards around executed mutants: what harms others is seen, and called by its name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fuzz/execution.h"

namespace fuzz {
namespace {

constexpr jit::BindingLayout kBindings[] = {{0, 0, jit::DescriptorKind::StorageBuffer, 1, 0, -1},
                                            {0, 1, jit::DescriptorKind::StorageBuffer, 1, 16, -1}};

jit::Kernel kernelOf(rt::KernelFunction entry) {
  jit::Kernel kernel{};
  kernel.entry = entry;
  kernel.shared_bytes = 100;
  kernel.scratch_bytes = 100;
  return kernel;
}

const rt::BufferDescriptor& buffer(const rt::DispatchArgs* dispatch, size_t binding) {
  return reinterpret_cast<const rt::BufferDescriptor*>(dispatch->sets[0])[binding];
}

// How the kernel ends, and what is said of it.
std::pair<Execution::End, std::string> run(rt::KernelFunction entry) {
  const jit::Kernel kernel = kernelOf(entry);
  Execution execution(kernel, kBindings, 1);
  const Execution::End end = execution.run();
  return {end, execution.failure()};
}

using testing::HasSubstr;
using testing::Pair;

TEST(Guards, LetGoodKernelsRun) {
  const auto good = [](const rt::DispatchArgs* dispatch, const rt::WorkgroupMemory* memory,
                       uint32_t, uint32_t, uint32_t, uint32_t) {
    const auto& [address, size] = buffer(dispatch, 0);
    for (uint64_t k = 0; k < size; ++k) address[k] = std::byte{1};
    memory->shared[99] = memory->scratch[99] = std::byte{1};
  };
  EXPECT_THAT(run(good), Pair(Execution::End::Returned, ""));
}

TEST(Guards, SeeAccessesBesideBuffers) {
  EXPECT_THAT(run([](const rt::DispatchArgs* dispatch, const rt::WorkgroupMemory*, uint32_t,
                     uint32_t, uint32_t, uint32_t) {
                const auto& [address, size] = buffer(dispatch, 1);
                address[size + 64] = std::byte{1};
              }),
              Pair(Execution::End::Failed, HasSubstr("beside buffer 0.1[0]")));
  EXPECT_THAT(
      run([](const rt::DispatchArgs* dispatch, const rt::WorkgroupMemory*, uint32_t, uint32_t,
             uint32_t, uint32_t) { buffer(dispatch, 0).address[-1] = std::byte{1}; }),
      Pair(Execution::End::Failed, "wrote beside buffer 0.0[0]"));
}

TEST(Guards, SeeAccessesBesideOtherMemory) {
  EXPECT_THAT(run([](const rt::DispatchArgs*, const rt::WorkgroupMemory* memory, uint32_t, uint32_t,
                     uint32_t, uint32_t) { memory->shared[100] = std::byte{1}; }),
              Pair(Execution::End::Failed, "wrote beside Workgroup memory"));
  EXPECT_THAT(run([](const rt::DispatchArgs*, const rt::WorkgroupMemory* memory, uint32_t, uint32_t,
                     uint32_t, uint32_t) { memory->scratch[128] = std::byte{1}; }),
              Pair(Execution::End::Failed, HasSubstr("beside the frame")));
}

TEST(Guards, SeeCallsOfNothing) {
  EXPECT_THAT(run(nullptr), Pair(Execution::End::Failed, HasSubstr("where no code is")));
}

TEST(Guards, StopKernelsThatLookAtTheWatchdog) {
  EXPECT_THAT(run([](const rt::DispatchArgs* dispatch, const rt::WorkgroupMemory*, uint32_t,
                     uint32_t, uint32_t, uint32_t) {
                while (*dispatch->stop == 0) {
                }
              }),
              Pair(Execution::End::Stopped, ""));
}

// Of word 10 of the buffers, those that are large enough.
void changeExponents(const rt::DispatchArgs* dispatch) {
  for (size_t binding : {0, 1}) {
    const auto& [address, size] = buffer(dispatch, binding);
    if (size > 43) address[43] ^= std::byte{0x40};
  }
}

TEST(Guards, TellResultsApart) {
  const jit::Kernel kernels[] = {
      kernelOf([](const rt::DispatchArgs*, const rt::WorkgroupMemory*, uint32_t, uint32_t, uint32_t,
                  uint32_t) {}),
      kernelOf([](const rt::DispatchArgs* dispatch, const rt::WorkgroupMemory*, uint32_t, uint32_t,
                  uint32_t, uint32_t) { changeExponents(dispatch); }),
      kernelOf([](const rt::DispatchArgs* dispatch, const rt::WorkgroupMemory*, uint32_t x,
                  uint32_t y, uint32_t, uint32_t) {
        if (x + y == 0) changeExponents(dispatch);
      })};
  Execution still(kernels[0], kBindings, 1), often(kernels[1], kBindings, 1),
      once(kernels[2], kBindings, 1);
  for (Execution* execution : {&still, &often, &once})
    EXPECT_EQ(execution->run(), Execution::End::Returned);
  EXPECT_EQ(Execution::difference(still, often), "");  // changed four times
  EXPECT_THAT(Execution::difference(still, once), HasSubstr(", word 10: "));
}

}  // namespace
}  // namespace fuzz
