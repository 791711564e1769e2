// SPDX-License-Identifier: Apache-2.0

// The floating-point state that kernels are promised (see KernelFunction), for as long as an
// object of this class lives; the thread's own state afterwards.
#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace rt {

#if defined(__SSE__)

class KernelFloatEnvironment {
 public:
  KernelFloatEnvironment() : saved_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  ~KernelFloatEnvironment() { _mm_setcsr(saved_); }
  KernelFloatEnvironment(const KernelFloatEnvironment&) = delete;
  KernelFloatEnvironment& operator=(const KernelFloatEnvironment&) = delete;

 private:
  const unsigned saved_;
};

#elif defined(__aarch64__)

class KernelFloatEnvironment {
 public:
  KernelFloatEnvironment() {
    asm volatile("mrs %0, fpcr" : "=r"(saved_));
    asm volatile("msr fpcr, %0" : : "r"(uint64_t{0}));
  }
  ~KernelFloatEnvironment() { asm volatile("msr fpcr, %0" : : "r"(saved_)); }
  KernelFloatEnvironment(const KernelFloatEnvironment&) = delete;
  KernelFloatEnvironment& operator=(const KernelFloatEnvironment&) = delete;

 private:
  uint64_t saved_;
};

#else
#error "the floating-point control register of this architecture is not known"
#endif

}  // namespace rt
