// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/byte_dot.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

namespace jit::spirv {

using namespace llvm::PatternMatch;

std::optional<ByteDot> ByteDot::find(Emission& e) {
  const rt::CpuFeatures& has = e.target.features;
  if (has.avx512_vnni && has.avx512bw && e.width() % 16 == 0)
    return ByteDot(e, llvm::Intrinsic::x86_avx512_vpdpbusd_512, 16);
  if ((has.avx_vnni && has.avx2) || (has.avx512_vnni && has.avx512bw && has.avx512vl))
    return ByteDot(e, llvm::Intrinsic::x86_avx512_vpdpbusd_256, 8);
  return std::nullopt;
}

// Where both operands are signed or both unsigned, and none has numbers of 7 bits, which are both,
// one is moved by 128 and the difference taken off again.
llvm::Value* ByteDot::sums(llvm::Value* a, llvm::Value* b, Signedness is_signed) {
  auto& ir = e_.ir;
  llvm::Value* zero = llvm::Constant::getNullValue(a->getType());
  if (is_signed.a == is_signed.b) {
    if (hasSevenBits(e_, a))
      is_signed.a = !is_signed.a;
    else if (hasSevenBits(e_, b))
      is_signed.b = !is_signed.b;
  }
  if (is_signed.a != is_signed.b) return is_signed.a ? run(zero, b, a) : run(zero, a, b);
  llvm::Value* bias = e_.simt.broadcast(ir.getInt32(0x80808080u));
  if (is_signed.a)  // (a + 128) * b - 128 * b
    return ir.CreateSub(run(zero, ir.CreateXor(a, bias), b), run(zero, bias, b));
  // a * (b - 128) - a * -128
  return ir.CreateSub(run(zero, a, ir.CreateXor(b, bias)), run(zero, a, bias));
}

llvm::Value* ByteDot::added(llvm::Value* a, llvm::Value* b) {
  if (llvm::Value* sum = addedTo(a, b)) return sum;
  return addedTo(b, a);
}

// sum + dots. Differences of such sums stay ones: what is taken off is added up by itself.
llvm::Value* ByteDot::addedTo(llvm::Value* sum, llvm::Value* dots) {
  llvm::Value *moved = nullptr, *excess = nullptr;
  if (match(dots, m_Sub(m_Value(moved), m_Value(excess)))) {
    llvm::Value *gained = nullptr, *less = nullptr;  // of the sum, if it is such a difference
    const Parts of_moved = partsOf(moved, true), of_excess = partsOf(excess, true);
    if (of_moved.empty() || of_excess.empty()) return nullptr;
    const bool has_excess =
        match(sum, m_Sub(m_Value(gained), m_Value(less))) && !partsOf(less, false).empty();
    llvm::Value* more = accumulated(has_excess ? gained : sum, of_moved);
    return e_.ir.CreateSub(more, has_excess ? accumulated(less, of_excess) : excess);
  }
  const Parts parts = partsOf(dots, true);
  return parts.empty() ? nullptr : accumulated(sum, parts);
}

llvm::Value* ByteDot::accumulated(llvm::Value* sum, const Parts& dots) {
  return inParts(sum->getType(), [&](unsigned part, auto cut) {
    return e_.ir.CreateIntrinsic(
        id_, {}, {cut(sum), dots[part]->getArgOperand(1), dots[part]->getArgOperand(2)});
  });
}

bool ByteDot::hasSevenBits(Emission& e, llvm::Value* bytes) {
  constexpr uint32_t kHighest = 0x80808080u;
  const llvm::DataLayout& layout = e.ir.GetInsertBlock()->getDataLayout();
  return llvm::APInt(32, kHighest).isSubsetOf(llvm::computeKnownBits(bytes, layout).Zero);
}

// The instructions that have made all of `value`, if `from_zero` each adding to zero; none: it is
// something else.
ByteDot::Parts ByteDot::partsOf(llvm::Value* value, bool from_zero) const {
  Parts parts(e_.width() / elements_);
  for (unsigned part = e_.width() / elements_; part-- > 0;) {
    llvm::Value *rest = nullptr, *dot = nullptr;
    if (!match(value, m_Intrinsic<llvm::Intrinsic::vector_insert>(m_Value(rest), m_Value(dot),
                                                                  m_SpecificInt(part * elements_))))
      return {};
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(dot);
    if (call == nullptr || call->getIntrinsicID() != id_ ||
        (from_zero && !match(call->getArgOperand(0), m_Zero())))
      return {};
    parts[part] = call;
    value = rest;
  }
  return parts;
}

llvm::Value* ByteDot::run(llvm::Value* sum, llvm::Value* u, llvm::Value* s) {
  auto& ir = e_.ir;
  // LLVM 19 declares the operands as 32-bit elements, 22 as bytes.
  llvm::Type* operand = llvm::Intrinsic::getType(e_.context, id_)->getParamType(1);
  return inParts(sum->getType(), [&](unsigned, auto cut) {
    return ir.CreateIntrinsic(
        id_, {}, {cut(sum), ir.CreateBitCast(cut(u), operand), ir.CreateBitCast(cut(s), operand)});
  });
}

// A vector of what `of(part, cut)` makes of each register; `cut` takes its part of a vector.
template <typename Of>
llvm::Value* ByteDot::inParts(llvm::Type* type, Of of) {
  auto& ir = e_.ir;
  auto* part = llvm::FixedVectorType::get(ir.getInt32Ty(), elements_);
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (unsigned first = 0; first < e_.width(); first += elements_) {
    auto cut = [&](llvm::Value* v) -> llvm::Value* {
      if (match(v, m_Zero())) return llvm::Constant::getNullValue(part);
      return ir.CreateExtractVector(part, v, ir.getInt64(first));
    };
    result = ir.CreateInsertVector(type, result, of(first / elements_, cut), ir.getInt64(first));
  }
  return result;
}

}  // namespace jit::spirv
