// SPDX-License-Identifier: Apache-2.0

// Processes that may not use tiles.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <vector>

namespace rt {

// From now on arch_prctl(ARCH_REQ_XCOMP_PERM) fails with EPERM, in this process and those it
// starts. False if the system sets no such filter.
inline bool refuseTiles() {
  constexpr unsigned kRequestPermission = 0x1023;
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kRequestPermission, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// While it lives, this thread has an alternative signal stack too small for tiles. `is_set` is
// false if the system refuses that.
class SmallSignalStack {
 public:
  SmallSignalStack() {
    stack_t stack = {};
    stack.ss_sp = memory_.data();
    stack.ss_size = memory_.size();
    is_set = sigaltstack(&stack, &before_) == 0;
  }
  ~SmallSignalStack() {
    if (is_set) sigaltstack(&before_, nullptr);
  }
  SmallSignalStack(const SmallSignalStack&) = delete;
  SmallSignalStack& operator=(const SmallSignalStack&) = delete;

  bool is_set = false;

 private:
  std::vector<char> memory_ = std::vector<char>(4096);
  stack_t before_ = {};
};

}  // namespace rt
