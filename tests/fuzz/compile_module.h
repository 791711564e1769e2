// What is done with a module under test: compiled like a client would, whatever it holds.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "jit/compiler.h"

namespace fuzz {

// Compiles every compute entry point, in a way (subgroup size, robustness) that depends on the
// module's words alone. Empty when each was compiled or refused; the message of an internal error
// otherwise. A crash is a crash.
std::string compileModule(jit::Compiler& compiler, std::span<const uint32_t> words);

}  // namespace fuzz
