// SPDX-License-Identifier: Apache-2.0

#include "runtime/native_thread.h"

#include <new>

#include "runtime/blocked_signals.h"

namespace rt {

pthread_t startThread(const char* name, size_t stack_bytes, void* (*main)(void*), void* argument) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) throw std::bad_alloc();
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t thread;
  int error;
  {
    BlockedSignals blocked;
    error = pthread_create(&thread, &attributes, main, argument);
  }
  pthread_attr_destroy(&attributes);
  if (error != 0) throw std::bad_alloc();
  pthread_setname_np(thread, name);
  return thread;
}

}  // namespace rt
