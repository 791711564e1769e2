// SPDX-License-Identifier: Apache-2.0

// Signals are handled on the application's threads, not on the driver's.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <initializer_list>

namespace rt {

// Blocks the signals that belong to the application's threads for a thread that is created while
// this lives. Those that a fault of the thread itself raises stay with the application's handler.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) {
      sigdelset(&blocked, own);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &saved_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &saved_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t saved_;
};

}  // namespace rt
