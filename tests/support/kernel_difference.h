// SPDX-License-Identifier: Apache-2.0

// Which kernels a device that is set up otherwise runs otherwise.
#pragma once

#include "tests/support/kernel_file.h"

namespace kernels {

// How a run of all kernel files differs from the one on a device as it comes.
struct Difference {
  bool robust = false;         // robust access to buffers is on for all
  bool threads = false;        // on one thread, and on all
  bool subgroup_size = false;  // the device has another default
};

// Whether the kernel's code, and how it runs, may follow from the difference. What is false has
// the code of the run without it, and does what it does there:
//   robust          who asks for robust access has it anyway;
//   threads         a thread runs a workgroup alone, and the dispatches of a file come one after
//                   the other, so more than one workgroup is needed for a second thread;
//   subgroup_size   who states the size in front of each dispatch does not have the default.
bool mayDiffer(const Kernel& kernel, const Difference& difference);

}  // namespace kernels
