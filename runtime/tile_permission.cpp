// SPDX-License-Identifier: Apache-2.0

#include "runtime/tile_permission.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "runtime/cpu_features.h"

namespace rt {
namespace {

constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM of Linux's asm/prctl.h
constexpr long kTileData = 18;               // the component of XSAVE's state

TilePermission ask() {
  if (!hostCpuFeatures().amx_tile) return {ENOTSUP};
  if (syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0) return {0};
  return {errno};
}

const char* reasonOf(int error) {
  switch (error) {
    case ENOSPC:
      return "a thread has an alternative signal stack that is too small for tiles: make those "
             "stacks (sigaltstack) 16 KiB larger, or at least sysconf(_SC_SIGSTKSZ) bytes";
    case EPERM:
    case EACCES:
      return "a filter of system calls (seccomp) forbids it: allow arch_prctl "
             "(ARCH_REQ_XCOMP_PERM)";
    case EINVAL:
    case ENOSYS:
      return "this kernel does not know of it: Linux 5.16 and later do";
    default:
      return "the system does not offer tiles to processes";
  }
}

}  // namespace

const TilePermission& tilePermission() {
  static const TilePermission permission = ask();
  return permission;
}

std::string describeRefusal(const TilePermission& permission) {
  return "arch_prctl(ARCH_REQ_XCOMP_PERM): " + std::generic_category().message(permission.error) +
         ": " + reasonOf(permission.error);
}

}  // namespace rt
