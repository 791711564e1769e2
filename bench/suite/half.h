// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace bench {

// A half of C++ before C++23.
using Half = _Float16;

}  // namespace bench
