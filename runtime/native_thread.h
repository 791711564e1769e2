// SPDX-License-Identifier: Apache-2.0

// A thread that is the driver's own, beside those of oneTBB.
#pragma once

#include <pthread.h>

#include <cstddef>

namespace rt {

// It has a stack of its own size, whatever the application's limits are, and leaves the
// application's signals to the application's threads. `name` has 15 characters at most. Throws
// std::bad_alloc when the system has no thread left. To be joined with pthread_join.
pthread_t startThread(const char* name, size_t stack_bytes, void* (*main)(void*), void* argument);

}  // namespace rt
