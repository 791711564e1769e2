// SPDX-License-Identifier: Apache-2.0

// Systems where memory may not be writable and executable, not even one after the other. Each scene
// is played in a process of its own.
#include <errno.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstddef>
#include <iterator>

#include "tests/api/long_work.h"
#include "tests/api/process_scene.h"
#include "tests/support/sanitizer.h"

namespace api_test {
namespace {

// linux/prctl.h has them from 6.3 on.
constexpr int kSetMdwe = 65, kGetMdwe = 66;
constexpr unsigned long kRefuseExecGain = 1;

constexpr uint32_t kArgument2 = offsetof(seccomp_data, args) + 2 * sizeof(uint64_t);

// From here on the system refuses what changes a mapping to executable, and new mappings that have
// all bits of `refused`.
void refuse(uint32_t refused) {
  const sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kArgument2),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 4, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kArgument2),  // of mmap
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, refused),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
  };
  const sock_fprog program{static_cast<unsigned short>(std::size(filter)),
                           const_cast<sock_filter*>(filter)};
  require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "PR_SET_NO_NEW_PRIVS");
  require(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0, "PR_SET_SECCOMP");
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  require(page != MAP_FAILED, "the filter refuses too much");
  require(mprotect(page, 4096, PROT_READ | PROT_EXEC) != 0, "the filter refuses nothing");
  require(mprotect(page, 4096, PROT_READ) == 0, "the filter refuses reading");
  require(mmap(nullptr, 4096, static_cast<int>(refused), MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
              MAP_FAILED,
          "the filter allows mappings");
}

void refuseExecGain() {
  require(prctl(kSetMdwe, kRefuseExecGain, 0, 0, 0) == 0, "PR_SET_MDWE");
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  require(mprotect(page, 4096, PROT_READ | PROT_EXEC) != 0, "PR_SET_MDWE refuses nothing");
}

void workAndCompile(LongWork& work) {
  for (uint32_t i = 1; i < 4; ++i) {
    work.submit(2, 1000);
    work.finish();
    work.compile(i);
  }
}

#define SKIP_WITH_SANITIZERS()                               \
  if (TESSERA_ADDRESS_SANITIZER || TESSERA_THREAD_SANITIZER) \
  GTEST_SKIP() << "the sanitizers' interceptors make code of their own"

TEST(WriteXorExecute, CodeComesFromAFileUnderMdwe) {
  SKIP_WITH_SANITIZERS();
  if (prctl(kGetMdwe, 0, 0, 0, 0) < 0) GTEST_SKIP() << "the system has no PR_SET_MDWE";
  play([] {
    const auto shader = steppingShader();
    refuseExecGain();
    LongWork work(shader);
    workAndCompile(work);
  });
}

TEST(WriteXorExecute, CodeComesFromAFileWhenMdweComesLater) {
  SKIP_WITH_SANITIZERS();
  if (prctl(kGetMdwe, 0, 0, 0, 0) < 0) GTEST_SKIP() << "the system has no PR_SET_MDWE";
  play([] {
    LongWork work(steppingShader());
    workAndCompile(work);
    refuseExecGain();
    workAndCompile(work);
  });
}

TEST(WriteXorExecute, CodeComesFromAFileUnderAFilter) {
  SKIP_WITH_SANITIZERS();
  play([] {
    const auto shader = steppingShader();
    refuse(PROT_WRITE | PROT_EXEC);
    LongWork work(shader);
    workAndCompile(work);
  });
}

// Of this the client hears when it makes a device, and may take another one.
TEST(WriteXorExecute, WithoutAnyCodeThereIsNoDevice) {
  SKIP_WITH_SANITIZERS();
  play(
      [] {
        host::Instance instance;
        refuse(PROT_EXEC);
        try {
          host::Device::withAllFeatures(instance, instance.choose(), false);
        } catch (const host::VulkanError& error) {
          require(error.result == VK_ERROR_INITIALIZATION_FAILED, error.what());
          return;
        }
        require(false, "there is a device");
      },
      "vkCreateDevice: this process may have no code of its own");
}

}  // namespace
}  // namespace api_test
