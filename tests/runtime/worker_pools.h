// SPDX-License-Identifier: Apache-2.0

// Tests of dispatches on pools of one, two and several workers.
#pragma once

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include "runtime/timeline.h"
#include "runtime/worker.h"

namespace rt::test {

// More threads than the machine may have, so that they meet.
inline constexpr uint32_t kThreads = 4;

class OnWorkers : public testing::TestWithParam<uint32_t> {
 protected:
  tbb::global_control parallelism_{tbb::global_control::max_allowed_parallelism, kThreads};
  WorkerPool workers_{GetParam()};
  Timeline stop_;
};

// Of a class that is derived from it.
inline auto numbersOfWorkers() { return testing::Values(1u, 2u, kThreads); }

}  // namespace rt::test
