// SPDX-License-Identifier: Apache-2.0

// A kernel in memory, as the runtime runs it. Made by whoever compiled it; the runtime does not
// know how.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "runtime/given_name.h"
#include "runtime/kernel_abi.h"
#include "runtime/profile.h"

namespace rt {

// Immutable once it is in a command, except for its name and the measured cost. Shared by commands,
// so that a pipeline may be destroyed while command lists that were recorded with it still exist.
struct KernelImage {
  KernelFunction entry = nullptr;
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};  // invocations
  uint32_t shared_bytes = 0;                        // of WorkgroupMemory, see there
  uint32_t scratch_bytes = 0;
  // No workgroup can tell in which order they run, and what several of them read is packed once
  // (runtime/panel_cache.h).
  bool shares_panels = false;
  // No workgroup can tell in which order they run, and several in a row may be run at once: their
  // first subgroups, then their second ones (jit/passes/workgroup/workgroup_rows.h).
  bool runs_rows = false;
  // No workgroup can tell in which order they run, as above, and each thread has neighbours of its
  // own to run.
  bool is_unordered = false;
  // A check counts on it that workgroups run one after the other, on one thread.
  bool in_order = false;
  std::shared_ptr<const void> code;        // keeps the machine code alive; may be null
  std::shared_ptr<KernelProfile> profile;  // null: nobody asks
  std::string name;                        // for messages; may be empty
  mutable GivenName given_name;  // that of the pipeline, which counts where it is not empty

  // Nanoseconds a workgroup took in the last dispatch; 0 before the first. Decides only where
  // and in what portions workgroups run, never what they compute.
  mutable std::atomic<float> measured_cost = 0;
  // Bytes of shared panels that a workgroup read in the last dispatch; 0 before the first.
  mutable std::atomic<uint64_t> measured_panels = 0;
  // Of those, what it read in place of panels.
  mutable std::atomic<uint64_t> measured_in_place = 0;
};

}  // namespace rt
