// SPDX-License-Identifier: Apache-2.0

// What the build's headers and archives take from a C library of 2.32 and later, for a driver that
// is linked against an older one (cmake/OldLibc.cmake). Only this library sees them.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

// 2.32. That there may be other threads is always true enough (libstdc++, ext/atomicity.h).
HIDDEN char __libc_single_threaded = 0;

// 2.33. Of LLVM, for statistics; the counters of the older one are narrower.
HIDDEN struct mallinfo2 mallinfo2(void) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const struct mallinfo narrow = mallinfo();
#pragma GCC diagnostic pop
  struct mallinfo2 wide = {0};
  wide.arena = (unsigned)narrow.arena;
  wide.uordblks = (unsigned)narrow.uordblks;
  wide.fordblks = (unsigned)narrow.fordblks;
  wide.hblkhd = (unsigned)narrow.hblkhd;
  return wide;
}

// 2.36. Of libstdc++'s std::random_device. It cannot fail; nor can getrandom() of so few bytes, but by
// a signal before the kernel has gathered enough of them.
HIDDEN uint32_t arc4random(void) {
  uint32_t value;
  while (getrandom(&value, sizeof value, 0) != sizeof value)
    if (errno != EINTR) abort();
  return value;
}
