// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/lane_permute.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <numeric>

namespace jit::simt {

namespace {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

// The permutation of one register's elements by variable indices, and that of two registers'
// (0: there is none). Both look at as many low bits of an index as they need.
struct RegisterPermutation {
  uint32_t element_bits;
  uint32_t elements;
  bool rt::CpuFeatures::* feature;
  Intrinsic::ID one;
  Intrinsic::ID two;
};

// The first that fits is taken: in 512-bit registers only what fills one.
constexpr RegisterPermutation kPermutations[] = {
    {16, 32, &rt::CpuFeatures::avx512bw, Intrinsic::x86_avx512_permvar_hi_512,
     Intrinsic::x86_avx512_vpermi2var_hi_512},
    {32, 16, &rt::CpuFeatures::avx512f, Intrinsic::x86_avx512_permvar_si_512,
     Intrinsic::x86_avx512_vpermi2var_d_512},
    {64, 8, &rt::CpuFeatures::avx512f, Intrinsic::x86_avx512_permvar_di_512,
     Intrinsic::x86_avx512_vpermi2var_q_512},
    {32, 8, &rt::CpuFeatures::avx2, Intrinsic::x86_avx2_permd, 0},
};

const RegisterPermutation* findPermutation(const Target& target, uint32_t bits, uint32_t width) {
  for (const RegisterPermutation& row : kPermutations)
    if (row.element_bits == bits && row.elements <= width && target.features.*row.feature)
      return &row;
  return nullptr;
}

// Elements [first, first + count) of a vector.
Value* slice(SimtBuilder& simt, Value* v, uint32_t first, uint32_t count) {
  llvm::SmallVector<int, 64> elements;
  for (uint32_t k = 0; k < count; ++k) elements.push_back(static_cast<int>(first + k));
  return simt.ir.CreateShuffleVector(v, elements);
}

// All elements of equally long vectors, a power of two of them, in order.
Value* concatenate(SimtBuilder& simt, llvm::ArrayRef<Value*> parts) {
  if (parts.size() == 1) return parts[0];
  const size_t half = parts.size() / 2;
  Value* lower = concatenate(simt, parts.take_front(half));
  Value* upper = concatenate(simt, parts.drop_front(half));
  llvm::SmallVector<int, 64> all(
      2 * llvm::cast<llvm::FixedVectorType>(lower->getType())->getNumElements());
  std::iota(all.begin(), all.end(), 0);
  return simt.ir.CreateShuffleVector(lower, upper, all);
}

// Elements out of `registers`, for one register of indices. The low bits of an index choose within
// one or two registers, each bit above between two halves.
Value* permuteInto(SimtBuilder& simt, const RegisterPermutation& row,
                   llvm::ArrayRef<Value*> registers, Value* index) {
  auto& ir = simt.ir;
  if (registers.size() == 1) return ir.CreateIntrinsic(row.one, {}, {registers[0], index});
  if (registers.size() == 2 && row.two != 0)
    return ir.CreateIntrinsic(row.two, {}, {registers[0], index, registers[1]});
  const size_t half = registers.size() / 2;
  Value* lower = permuteInto(simt, row, registers.take_front(half), index);
  Value* upper = permuteInto(simt, row, registers.drop_front(half), index);
  Value* bit = ir.CreateAnd(index, llvm::ConstantInt::get(index->getType(), half * row.elements));
  return ir.CreateSelect(ir.CreateICmpNE(bit, llvm::Constant::getNullValue(index->getType())),
                         upper, lower);
}

Value* permuteRegisters(SimtBuilder& simt, const RegisterPermutation& row, Value* v, Value* index) {
  index = simt.ir.CreateZExtOrTrunc(index, v->getType());
  llvm::SmallVector<Value*, 8> registers, results;
  for (uint32_t first = 0; first < simt.width; first += row.elements)
    registers.push_back(slice(simt, v, first, row.elements));
  for (uint32_t first = 0; first < simt.width; first += row.elements)
    results.push_back(permuteInto(simt, row, registers, slice(simt, index, first, row.elements)));
  return concatenate(simt, results);
}

Value* permuteInMemory(SimtBuilder& simt, Value* v, Value* index) {
  auto& ir = simt.ir;
  llvm::BasicBlock& entry = ir.GetInsertBlock()->getParent()->getEntryBlock();
  auto* slot = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(v->getType());
  slot->setAlignment(llvm::Align(64));
  ir.CreateAlignedStore(v, slot, llvm::Align(64));
  Value* in_range = ir.CreateAnd(index, llvm::ConstantInt::get(index->getType(), simt.width - 1));
  Value* addresses = ir.CreateGEP(simt.scalarOf(v), slot, in_range);
  auto* all = llvm::Constant::getAllOnesValue(simt.vectorOf(ir.getInt1Ty()));
  return ir.CreateMaskedGather(v->getType(), addresses,
                               llvm::Align(v->getType()->getScalarSizeInBits() / 8), all);
}

// For vectors of integers.
Value* permuteIntegers(SimtBuilder& simt, const Target& target, Value* v, Value* index) {
  auto& ir = simt.ir;
  const uint32_t bits = v->getType()->getScalarSizeInBits();
  if (const auto* row = findPermutation(target, bits, simt.width))
    return permuteRegisters(simt, *row, v, index);
  // Small elements as larger ones, and large ones as two halves, where there is a permutation of
  // those.
  for (uint32_t wider : {16u, 32u})
    if (bits < wider && findPermutation(target, wider, simt.width) != nullptr) {
      auto* type = simt.vectorOf(ir.getIntNTy(wider));
      return ir.CreateTrunc(permuteIntegers(simt, target, ir.CreateZExt(v, type), index),
                            v->getType());
    }
  if (bits == 64 && findPermutation(target, 32, simt.width) != nullptr) {
    auto* half = simt.vectorOf(ir.getInt32Ty());
    Value* low = permuteIntegers(simt, target, ir.CreateTrunc(v, half), index);
    Value* high = permuteIntegers(simt, target, ir.CreateTrunc(ir.CreateLShr(v, 32), half), index);
    return ir.CreateOr(ir.CreateZExt(low, v->getType()),
                       ir.CreateShl(ir.CreateZExt(high, v->getType()), 32));
  }
  return permuteInMemory(simt, v, index);
}

// Bits of a mask that each lane asks for by number.
Value* permuteBits(SimtBuilder& simt, Value* v, Value* index) {
  auto& ir = simt.ir;
  Value* bits = simt.bits(v);
  auto word = [&](Value* w) { return simt.broadcast(ir.CreateZExtOrTrunc(w, ir.getInt32Ty())); };
  auto constant = [&](uint32_t c) { return llvm::ConstantInt::get(index->getType(), c); };
  Value* words = word(bits);
  if (simt.width > 32) {
    Value* upper = ir.CreateICmpNE(ir.CreateAnd(index, constant(32)), constant(0));
    words = ir.CreateSelect(upper, word(ir.CreateLShr(bits, 32)), words);
  }
  Value* amount = ir.CreateAnd(index, constant(std::min(simt.width, 32u) - 1));
  return ir.CreateTrunc(ir.CreateLShr(words, amount), v->getType());
}

}  // namespace

Value* shuffleLanes(SimtBuilder& simt, Value* v,
                    llvm::function_ref<uint32_t(uint32_t lane)> source) {
  llvm::SmallVector<int, 64> sources;
  for (uint32_t l = 0; l < simt.width; ++l) sources.push_back(static_cast<int>(source(l)));
  return simt.ir.CreateShuffleVector(v, sources);
}

Value* permuteLanes(SimtBuilder& simt, const Target& target, Value* v, Value* index) {
  if (auto* constant = llvm::dyn_cast<llvm::ConstantDataVector>(index))
    return shuffleLanes(simt, v, [&](uint32_t lane) {
      return static_cast<uint32_t>(constant->getElementAsInteger(lane)) % simt.width;
    });
  llvm::Type* scalar = simt.scalarOf(v);
  if (scalar->isIntegerTy(1)) return permuteBits(simt, v, index);
  auto* integers = simt.vectorOf(simt.ir.getIntNTy(scalar->getScalarSizeInBits()));
  Value* moved = permuteIntegers(simt, target, simt.ir.CreateBitCast(v, integers), index);
  return simt.ir.CreateBitCast(moved, v->getType());
}

}  // namespace jit::simt
