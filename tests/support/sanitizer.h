// SPDX-License-Identifier: Apache-2.0

// Which sanitizer the program is built with, by both compilers' names: what changes memory and time
// for everybody.
#pragma once

#if defined(__has_feature)
#define TESSERA_HAS_FEATURE(feature) __has_feature(feature)
#else
#define TESSERA_HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_THREAD__) || TESSERA_HAS_FEATURE(thread_sanitizer)
#define TESSERA_THREAD_SANITIZER 1
#else
#define TESSERA_THREAD_SANITIZER 0
#endif

#if defined(__SANITIZE_ADDRESS__) || TESSERA_HAS_FEATURE(address_sanitizer)
#define TESSERA_ADDRESS_SANITIZER 1
#else
#define TESSERA_ADDRESS_SANITIZER 0
#endif

#undef TESSERA_HAS_FEATURE

#if TESSERA_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

// What this thread allocates from here on may be left behind: for work that ends in the middle.
inline void leaveMemoryBehind() {
#if TESSERA_ADDRESS_SANITIZER
  __lsan_disable();
#endif
}
