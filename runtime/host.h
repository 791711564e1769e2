// SPDX-License-Identifier: Apache-2.0

// What the system lets this process use: processors and memory.
#pragma once

#include <cstdint>
#include <string>

namespace rt {

// Processors: those of the affinity mask, no more than the CPU quota of the control groups
// (rounded up). At least 1.
uint32_t usableCpus();

// Bytes: the machine's memory, or the lowest limit of the control groups.
uint64_t usableMemory();

// Bytes that can be had now without swapping or being ended, under the same limits.
uint64_t availableMemory();

// Where the system's files are; tests give a folder of their own. "" is the root.
struct HostFiles {
  std::string root;
};
uint32_t usableCpus(const HostFiles& files, uint32_t affinity);
uint64_t usableMemory(const HostFiles& files);
uint64_t availableMemory(const HostFiles& files);

}  // namespace rt
