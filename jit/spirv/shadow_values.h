// SPDX-License-Identifier: Apache-2.0

// The check of undefined values (TESSERA_CHECK=uninit) as a transformation of a module.
#pragma once

#include "jit/spirv/module.h"

namespace jit::spirv {

// Puts beside each value of the entry point that may be undefined another one, its shadow, which
// says which of its bits are (shadow_types.h), made by instructions beside the value's own
// (shadow_rules.def). What lies in memory has its shadow in memory (rt::ShadowMemory; for Workgroup
// memory behind it; for a variable of an invocation in another variable), and
// InternalOp::ShadowReport stands before what undefined values decide, as `request` asks for it.
// Values that cannot be undefined, whatever runs, have no shadow. Variables that can be values are
// ones already, and choices still branches.
//
// A store to device memory that is reported leaves defined memory behind, so that what follows from
// it is not reported, too; a copy of a structure or array as a whole is no decision, and copies the
// shadow.
void shadowValues(Module& module, const KernelRequest& request);

}  // namespace jit::spirv
