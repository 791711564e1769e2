// SPDX-License-Identifier: Apache-2.0

// Operands of multiply-adds that are loaded earlier than they are multiplied.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace jit::coopmat {

class WorkgroupReads;

// Loads operands in front of their multiply-adds, where a program loads them before the loop, or an
// iteration ahead, so that they reach the multiply-add through phis: what becomes of them then is
// their addresses. For memory that is as it was then. Wants the order of orderProducts, and keeps
// it. Returns whether anything was changed.
bool delayLoads(llvm::Function& function, const WorkgroupReads& reads);

}  // namespace jit::coopmat
