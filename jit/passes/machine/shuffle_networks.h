// SPDX-License-Identifier: Apache-2.0

// Many shuffles of shuffles, as transpositions are. LLVM's selection looks through each of them for
// one instruction that does the work of several, along all paths to what it is made of: with five
// levels that is most of the time that such a function takes to compile, and finds nothing.
#pragma once

namespace llvm {
class Function;
}

namespace jit {

// Where a block has many shuffles of whole registers that lie deeper than two levels, every second
// level is hidden from the next one. No instruction comes of that. Last of all passes, since it
// hides values from those too. True if anything was changed.
bool separateShuffleLevels(llvm::Function& function, unsigned register_bytes);

}  // namespace jit
