// SPDX-License-Identifier: Apache-2.0

// Structured control flow as a tree of constructs, and the order in which blocks are emitted.
// Source: SPIR-V Specification, 2.11 "Structured Control Flow".
#pragma once

#include "jit/spirv/module.h"

namespace jit::spirv {

// A selection, loop or inlined call, or the function itself (header 0's block, no merge).
struct Construct {
  MergeKind kind = MergeKind::None;
  Id header = 0, merge = 0, continue_target = 0;
  int parent = -1;            // index in Structure::constructs
  std::vector<int> children;  // in order
};

struct Structure {
  std::vector<Construct> constructs;  // 0 is the function
  // Blocks in structured order: a reverse post-order in which a construct's blocks are contiguous,
  // a loop's continue construct comes after its body, and the merge block after all of them.
  std::vector<uint32_t> order;                // indices into Function::blocks
  std::unordered_map<Id, uint32_t> position;  // label -> position in `order`
  std::vector<int> construct_of;  // by position in order: the innermost construct that contains it
};

// Malformed when the control flow is not structured. Blocks that cannot be reached are left out.
llvm::Expected<Structure> buildStructure(const Function& function);

// The tree as indented text, for TESSERA_DUMP.
std::string describeStructure(const Module& module, const Structure& structure);

}  // namespace jit::spirv
