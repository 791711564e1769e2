// SPDX-License-Identifier: Apache-2.0

#include "jit/analysis/round_values.h"

#include <llvm/ADT/STLExtras.h>

#include "jit/spirv/operands.h"

namespace jit::simt {

using spirv::Id;
using spirv::Instruction;

namespace {

// How the result follows from an operand that is a counter.
enum class CounterUse : uint8_t {
  Passes,    // it is the same number or condition, or one among several
  Compares,  // it is compared
  Adds,
  Scales,
  Repeats,  // the same comes every so many rounds, if the counter is the first operand
  Searches  // in another way
};

CounterUse counterUse(spv::Op op) {
  switch (op) {
    case spv::Op::OpPhi:
    case spv::Op::OpSelect:
    case spv::Op::OpCopyObject:
    case spv::Op::OpLogicalAnd:
    case spv::Op::OpLogicalOr:
    case spv::Op::OpLogicalNot:
    case spv::Op::OpLogicalEqual:
    case spv::Op::OpLogicalNotEqual:
    case spv::Op::OpAny:
    case spv::Op::OpAll:
    case spv::Op::OpGroupNonUniformAny:
    case spv::Op::OpGroupNonUniformAll:
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpCompositeInsert:
    case spv::Op::OpVectorShuffle:
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
    case spv::Op::OpBitcast:
    case spv::Op::OpSNegate:
    case spv::Op::OpFNegate:
    case spv::Op::OpConvertUToF:
    case spv::Op::OpConvertSToF:
      return CounterUse::Passes;
    case spv::Op::OpIEqual:
    case spv::Op::OpINotEqual:
    case spv::Op::OpULessThan:
    case spv::Op::OpSLessThan:
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpSLessThanEqual:
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpSGreaterThan:
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpSGreaterThanEqual:
    case spv::Op::OpFOrdLessThan:
    case spv::Op::OpFOrdLessThanEqual:
    case spv::Op::OpFOrdGreaterThan:
    case spv::Op::OpFOrdGreaterThanEqual:
    case spv::Op::OpFUnordLessThan:
    case spv::Op::OpFUnordLessThanEqual:
    case spv::Op::OpFUnordGreaterThan:
    case spv::Op::OpFUnordGreaterThanEqual:
      return CounterUse::Compares;
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
      return CounterUse::Adds;
    case spv::Op::OpIMul:
    case spv::Op::OpFMul:
      return CounterUse::Scales;
    case spv::Op::OpUDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpShiftRightLogical:
      return CounterUse::Repeats;
    default:
      return CounterUse::Searches;
  }
}

bool isCondition(const Instruction& i) {
  const spirv::Type* scalar = i.type->scalar();
  return scalar != nullptr && scalar->kind == spirv::TypeKind::Bool;
}

}  // namespace

RoundValues::RoundValues(const spirv::Module& module, const Linearization& linearization,
                         const UniformityAnalysis& uniformity, const RoundCode& code,
                         const llvm::DenseSet<Id>& watched)
    : module_(module), linearization_(linearization), uniformity_(uniformity), code_(code) {
  divideHeader(watched);
  for (bool changes = true; changes;) {
    changes = false;
    for (const RoundCode::Part& part : code_.parts)
      for (const Instruction& i : part.block->instructions) {
        if (i.result == 0 || i.type == nullptr) continue;
        const uint8_t known = sources(i.result);
        const uint8_t now = known | sourcesOfResult(i, part.is_inner_header);
        sources_[i.result] = now;
        changes |= now != known;
      }
  }
}

uint8_t RoundValues::sources(const Instruction& i) const {
  uint8_t all = 0;
  for (Id id : spirv::valueOperands(i)) all |= sources(id);
  return all;
}

bool RoundValues::isOfHeader(const Instruction& i) const {
  const auto& all = code_.parts.front().block->instructions;
  return !all.empty() && &all.front() <= &i && &i <= &all.back();
}

void RoundValues::take(Id id, bool added, Sum& sum) const {
  if (code_.isOutside(id) || !sum.seen[added ? 1 : 0].insert(id).second) return;
  const Instruction& i = *code_.definitions.at(id);
  switch (i.op) {
    case spv::Op::OpCopyObject:
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
    case spv::Op::OpBitcast:
      return take(i.operands[0], added, sum);
    case spv::Op::OpSelect:
      take(i.operands[1], added, sum);
      return take(i.operands[2], added, sum);
    case spv::Op::OpPhi:
      if (isOfHeader(i)) {
        sum.phis.push_back(&i);
        if (!added) sum.plain.push_back(&i);
        return;
      }
      for (size_t k = 0; k + 1 < i.operands.size(); k += 2) take(i.operands[k], added, sum);
      return;
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
      sum.adds = true;
      if (code_.isOutside(i.operands[1])) return take(i.operands[0], true, sum);
      if (code_.isOutside(i.operands[0]) && i.op != spv::Op::OpISub && i.op != spv::Op::OpFSub)
        return take(i.operands[1], true, sum);
      break;
    default:
      break;
  }
  sum.is_known = false;
}

RoundValues::Sum RoundValues::nextOf(const Instruction& phi) const {
  Sum sum;
  for (size_t k = 0; k + 1 < phi.operands.size(); k += 2)
    if (linearization_.inLoop(linearization_.nodeOf(phi.operands[k + 1]), code_.header))
      take(phi.operands[k], false, sum);
  return sum;
}

bool RoundValues::isCounter(const Instruction& phi) const {
  const Sum next = nextOf(phi);
  auto is_other = [&](const Instruction* p) { return p != &phi; };
  auto counts = [&](const Instruction* p) { return counters_.contains(p->result); };
  const bool moves = next.adds ? !next.phis.empty() : llvm::any_of(next.phis, is_other);
  return moves && next.is_known && llvm::all_of(next.phis, counts);
}

void RoundValues::divideHeader(const llvm::DenseSet<Id>& watched) {
  llvm::SmallVector<const Instruction*, 8> phis;
  for (const Instruction& phi : code_.parts.front().block->instructions) {
    if (phi.op != spv::Op::OpPhi) break;
    phis.push_back(&phi);
    const bool is_number =
        phi.type->kind == spirv::TypeKind::Int || phi.type->kind == spirv::TypeKind::Float;
    if (is_number && !watched.contains(phi.result)) counters_.insert(phi.result);
  }
  for (size_t before = ~size_t{0}; counters_.size() != before;) {
    before = counters_.size();
    for (const Instruction* phi : phis)
      if (counters_.contains(phi->result) && !isCounter(*phi)) counters_.erase(phi->result);
  }
  for (const Instruction* phi : phis)
    if (!counters_.contains(phi->result)) state_.push_back(phi);
}

bool RoundValues::watch(Id id, llvm::DenseSet<Id>& watched) const {
  bool finds = false;
  llvm::DenseSet<Id> seen;
  llvm::SmallVector<Id, 8> left = {id};
  while (!left.empty()) {
    id = left.pop_back_val();
    if (code_.isOutside(id) || !seen.insert(id).second) continue;
    const Instruction& i = *code_.definitions.at(id);
    if (isOfHeader(i) && i.op == spv::Op::OpPhi && counters_.contains(id)) {
      if (!llvm::is_contained(nextOf(i).plain, &i)) return false;
      watched.insert(id);
      finds = true;
      if ((sources(id) & kSearch) == 0) continue;
    }
    const unsigned wanted = (sources(i) & kSearch) != 0 ? kSearch : kCounter;
    for (Id operand : spirv::valueOperands(i))
      if ((sources(operand) & wanted) != 0) left.push_back(operand);
  }
  return finds;
}

// Of an instruction to which a counter comes.
bool RoundValues::searches(const Instruction& i, uint8_t sources) const {
  const bool is_mixed = (sources & (kMemory | kTurns)) != 0;
  const auto operands = spirv::valueOperands(i);
  switch (counterUse(i.op)) {
    case CounterUse::Passes:
      return false;
    case CounterUse::Compares:
    case CounterUse::Adds:
      return is_mixed;
    case CounterUse::Scales:
      return is_mixed ||
             llvm::all_of(operands, [&](Id id) { return (this->sources(id) & kCounter) != 0; });
    case CounterUse::Repeats:
      return is_mixed || module_.constant(operands[1]) == nullptr;
    case CounterUse::Searches:
      return true;
  }
  return true;
}

uint8_t RoundValues::sourcesOfResult(const Instruction& i, bool is_inner_header) const {
  uint8_t all = sources(i);
  if (llvm::is_contained(code_.reads, &i)) {
    // What it gives is looked at when the loop runs, wherever it is.
    const auto stores = code_.stores.find(uniformity_.root(i.operands[0]));
    if (stores == code_.stores.end())
      all |= kMemory | kDecided;
    else
      for (const Instruction* store : stores->second) all |= sources(store->operands[1]);
    return all & ~(kCounter | kSearch);
  }
  if (i.op == spv::Op::OpPhi && isOfHeader(i))
    // What comes round and is no counter is looked at when the loop runs.
    return counters_.contains(i.result) ? (all & kSearch) | kCounter : all & ~kCounter;
  if (i.op == spv::Op::OpPhi && is_inner_header) all |= kTurns;
  if ((all & kCounter) != 0 && searches(i, all)) all |= kSearch;
  if (isCondition(i)) all &= ~kMemory;
  return all;
}

}  // namespace jit::simt
