// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/word_dot.h"

#include <llvm/IR/IntrinsicsX86.h>

namespace jit::spirv {

namespace {

constexpr unsigned kLeastElements = 8;  // of 32 bits, in a register of AVX2

class WordDot {
 public:
  WordDot(Emission& e, unsigned elements) : e_(e), ir_(e.ir), elements_(elements) {}

  llvm::Value* sums(llvm::Value* a, llvm::Value* b, ByteDot::Signedness is_signed) {
    const bool small_a = ByteDot::hasSevenBits(e_, a), small_b = ByteDot::hasSevenBits(e_, b);
    // 7 bits are of either signedness.
    const bool signed_a = is_signed.a || small_a, signed_b = is_signed.b || small_b;
    llvm::Value* result = llvm::PoisonValue::get(a->getType());
    for (unsigned first = 0; first < e_.width(); first += elements_) {
      auto cut = [&](llvm::Value* v) {
        return ir_.CreateExtractVector(of(32), v, ir_.getInt64(first));
      };
      llvm::Value *x = cut(a), *y = cut(b), *part = nullptr;
      if (small_a && signed_b)
        part = bySmall(x, y);
      else if (small_b && signed_a)
        part = bySmall(y, x);
      else
        part = ir_.CreateAdd(pairs(even(x, is_signed.a), even(y, is_signed.b)),
                             pairs(odd(x, is_signed.a), odd(y, is_signed.b)));
      result = ir_.CreateInsertVector(a->getType(), result, part, ir_.getInt64(first));
    }
    return result;
  }

 private:
  llvm::FixedVectorType* of(unsigned bits) const {
    return llvm::FixedVectorType::get(ir_.getIntNTy(bits), elements_ * 32 / bits);
  }

  // Bytes 0 and 2, or 1 and 3, as words.
  llvm::Value* even(llvm::Value* bytes, bool is_signed) {
    llvm::Value* words = ir_.CreateBitCast(bytes, of(16));
    if (!is_signed) return ir_.CreateAnd(words, llvm::ConstantInt::get(of(16), 0xff));
    llvm::Value* eight = llvm::ConstantInt::get(of(16), 8);
    return ir_.CreateAShr(ir_.CreateShl(words, eight), eight);
  }
  llvm::Value* odd(llvm::Value* bytes, bool is_signed) {
    llvm::Value* words = ir_.CreateBitCast(bytes, of(16));
    llvm::Value* eight = llvm::ConstantInt::get(of(16), 8);
    return is_signed ? ir_.CreateAShr(words, eight) : ir_.CreateLShr(words, eight);
  }

  llvm::Value* pairs(llvm::Value* x, llvm::Value* y) {
    return ir_.CreateIntrinsic(elements_ == 16 ? llvm::Intrinsic::x86_avx512_pmaddw_d_512
                                               : llvm::Intrinsic::x86_avx2_pmadd_wd,
                               {}, {x, y});
  }

  // Sums of two products with numbers of 7 bits fit into words, so that nothing saturates.
  llvm::Value* bySmall(llvm::Value* small, llvm::Value* other) {
    llvm::Value* words =
        ir_.CreateIntrinsic(elements_ == 16 ? llvm::Intrinsic::x86_avx512_pmaddubs_w_512
                                            : llvm::Intrinsic::x86_avx2_pmadd_ub_sw,
                            {}, {ir_.CreateBitCast(small, of(8)), ir_.CreateBitCast(other, of(8))});
    return pairs(words, llvm::ConstantInt::get(of(16), 1));
  }

  Emission& e_;
  llvm::IRBuilderBase& ir_;
  const unsigned elements_;  // of 32 bits in a register
};

}  // namespace

bool addsWordPairs(const Emission& e) {
  return e.target.features.avx2 && e.width() % kLeastElements == 0;
}

llvm::Value* sumsByWords(Emission& e, llvm::Value* a, llvm::Value* b,
                         ByteDot::Signedness is_signed) {
  const bool is_wide = e.target.features.avx512bw && e.width() % (2 * kLeastElements) == 0;
  return WordDot(e, is_wide ? 2 * kLeastElements : kLeastElements).sums(a, b, is_signed);
}

}  // namespace jit::spirv
