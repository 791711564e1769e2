// SPDX-License-Identifier: Apache-2.0

// The system's permission for AMX tiles. Linux wants a process to ask before the first instruction
// that has to do with tile data, because the frames of signal handlers are 8 KiB larger from then
// on: it refuses where a thread has an alternative signal stack (sigaltstack) that is too small for
// such frames, and afterwards refuses to set such stacks. So who may do without tiles does not ask.
// Source: Linux, Documentation/arch/x86/xstate.rst.
#pragma once

#include <string>

namespace rt {

struct TilePermission {
  int error;  // of the system call; 0: granted; ENOTSUP also where the processor has no tiles
  bool granted() const { return error == 0; }
};

// Asks for it when first called; the answer is the process's to its end, and that of the processes
// that it forks. It holds for all threads.
const TilePermission& tilePermission();

// Why it was refused and what helps, for people.
std::string describeRefusal(const TilePermission& permission);

}  // namespace rt
