// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/shadow_values.h"

#include "jit/spirv/shadow_pass.h"

namespace jit::spirv {

void shadowValues(Module& module, const KernelRequest& request) {
  if (request.checks.has(rt::Check::Uninit)) ShadowPass(module, request).run();
}

}  // namespace jit::spirv
