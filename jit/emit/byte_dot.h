// SPDX-License-Identifier: Apache-2.0

// Dot products of four bytes each, as one instruction: vpdpbusd (AVX512-VNNI, AVX-VNNI), which adds
// sums of u[k] * s[k], unsigned by signed, to 32-bit elements, modulo 2^32. Internal to jit/emit.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <optional>

#include "jit/emit/emission.h"

namespace jit::spirv {

class ByteDot {
 public:
  struct Signedness {
    bool a, b;  // whether the components of the operands are signed
  };

  // Nothing where the machine or the subgroup's width does not suit.
  static std::optional<ByteDot> find(Emission& e);

  // Sums of a[k] * b[k]; operands are vectors of 32 bits for all lanes.
  llvm::Value* sums(llvm::Value* a, llvm::Value* b, Signedness is_signed);
  // a + b, where one of them is such sums and nothing else: the instruction adds. Else null.
  llvm::Value* added(llvm::Value* a, llvm::Value* b);

  // Whether each of the bytes that are packed into 32 bits is known to be less than 128.
  static bool hasSevenBits(Emission& e, llvm::Value* bytes);

 private:
  ByteDot(Emission& e, llvm::Intrinsic::ID id, unsigned elements)
      : e_(e), id_(id), elements_(elements) {}

  using Parts = llvm::SmallVector<llvm::CallBase*, 4>;

  llvm::Value* addedTo(llvm::Value* sum, llvm::Value* dots);
  llvm::Value* accumulated(llvm::Value* sum, const Parts& dots);
  Parts partsOf(llvm::Value* value, bool from_zero) const;
  llvm::Value* run(llvm::Value* sum, llvm::Value* u, llvm::Value* s);
  template <typename Of>
  llvm::Value* inParts(llvm::Type* type, Of of);

  Emission& e_;
  llvm::Intrinsic::ID id_;
  unsigned elements_;
};

}  // namespace jit::spirv
