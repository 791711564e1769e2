// C functions that generated code may call.
#pragma once

#include <string_view>

namespace jit {

// Address of a function in jit/llvm/symbols.def; null when it is not there.
const void* findSymbol(std::string_view name);

}  // namespace jit
