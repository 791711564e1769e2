// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/shadow_pass.h"

#include <algorithm>

#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

// Each block after those that lead to it, but round loops.
std::vector<size_t> reversePostOrder(const std::vector<Block>& blocks) {
  std::unordered_map<Id, size_t> numbers;
  for (size_t b = 0; b < blocks.size(); ++b) numbers[blocks[b].label] = b;
  std::vector<std::vector<Id>> successors;
  for (const Block& block : blocks) successors.push_back(block.successors());
  std::vector<bool> seen(blocks.size());
  std::vector<std::pair<size_t, size_t>> path{{0, 0}};
  std::vector<size_t> order;
  seen[0] = true;
  while (!path.empty()) {
    auto& [block, next] = path.back();
    if (next == successors[block].size()) {
      order.push_back(block);
      path.pop_back();
      continue;
    }
    const size_t to = numbers.at(successors[block][next++]);
    if (seen[to]) continue;
    seen[to] = true;
    path.emplace_back(to, 0);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

ShadowPass::ShadowPass(Module& module, const KernelRequest& request)
    : module_(module), request_(request), types_(module) {}

void ShadowPass::run() {
  std::vector<Block>& blocks = module_.entry.blocks;
  order_ = reversePostOrder(blocks);
  state_.emplace(module_, request_, types_, order_);
  declare(module_.variables);
  declare(module_.entry.variables);
  originals_.resize(blocks.size());
  for (size_t b : order_) {
    originals_[b] = blocks[b].instructions;
    for (const Instruction& i : originals_[b]) {
      if (i.result != 0) definitions_[i.result] = &i;
      has_products_ |= i.op == spv::Op::OpCooperativeMatrixMulAddKHR ||
                       i.op == spv::Op::OpCooperativeMatrixMulAddNV;
    }
  }
  for (size_t b : order_) {
    out_.clear();
    out_phis_.clear();
    for (const Instruction& i : originals_[b]) visit(i);
    current_ = &blocks[b].terminator;
    if (const ShadowRule* rule = findShadowRule(current_->op);
        rule != nullptr && *rule == ShadowRule::Branch)
      report(rt::Decision::Branch, joined(types_.boolean(), {shadow(current_->operands[0])}), 0);
    out_phis_.insert(out_phis_.end(), out_.begin(), out_.end());
    blocks[b].instructions = out_phis_;
  }
  completePhis();
  words_.moveTo(module_.words);
}

// The shadows of variables of an invocation, variables as they are.
void ShadowPass::declare(std::vector<Variable>& variables) {
  const size_t count = variables.size();
  for (size_t k = 0; k < count; ++k) {
    const Variable v = variables[k];
    if (!state_->isVariable(v.id) || state_->of(v.id) == kNoPlane) continue;
    for (unsigned plane = 0; plane < kShadowPlanes; ++plane) {
      const Type* type = shadowType(v.type->element, plane);
      if (type == nullptr) continue;
      Variable shadow;
      shadow.id = module_.bound++;
      shadow.type = types_.pointer(type, *v.type);
      shadow.storage = v.storage;
      const Constant* initial = module_.constant(v.initializer);
      shadow.is_shadow = plane == kBitsPlane && initial != nullptr && initial->undef;
      if (!shadow.is_shadow && v.initializer != 0) shadow.initializer = types_.zero(type);
      variables.push_back(shadow);
      places_[plane][v.id] = shadow.id;
    }
  }
}

const Instruction* ShadowPass::definition(Id id) const {
  const auto found = definitions_.find(id);
  return found == definitions_.end() ? nullptr : found->second;
}

Id ShadowPass::emit(spv::Op op, const Type* type, llvm::ArrayRef<uint32_t> operands) {
  Instruction i;
  i.op = op;
  i.type = type;
  i.result = type != nullptr ? module_.bound++ : 0;
  i.operands = words_.copy(std::span(operands.data(), operands.size()));
  i.word = current_->word;
  i.location = current_->location;
  out_.push_back(i);
  return i.result;
}

Id ShadowPass::shadow(Id id, unsigned plane) {
  if (const Constant* constant = module_.constant(id)) {
    if (!constant->undef || plane != kBitsPlane) return 0;
    const Type* type = shadowType(constant->type);
    return type != nullptr ? types_.ones(type) : 0;
  }
  const auto found = shadows_[plane].find(id);
  return found == shadows_[plane].end() ? 0 : found->second;
}

Id ShadowPass::shadowOrZero(Id id, unsigned plane) {
  const Id known = shadow(id, plane);
  return known != 0 ? known : types_.zero(shadowType(typeOf(id), plane));
}

void ShadowPass::set(const Instruction& i, unsigned plane, Id id) {
  if (id != 0) shadows_[plane][i.result] = id;
}

Id ShadowPass::any(const Type* type, llvm::ArrayRef<Id> shadows) {
  Ids some;
  for (Id id : shadows)
    if (id != 0) some.push_back(id);
  return some.empty() ? 0 : emit(InternalOp::ShadowAny, type, some);
}

Id ShadowPass::joined(const Type* type, llvm::ArrayRef<Id> shadows) {
  Ids some;
  for (Id id : shadows)
    if (id != 0) some.push_back(id);
  return some.empty() ? 0 : emit(InternalOp::ShadowJoined, type, some);
}

Id ShadowPass::either(spv::Op op, const Type* type, Id a, Id b) {
  if (a == 0 || b == 0) return a != 0 ? a : b;
  return emit(op, type, {a, b});
}

Id ShadowPass::orOf(const Type* type, Id a, Id b) {
  const Type* scalar = type->scalar();
  const bool is_bool = scalar != nullptr && scalar->kind == TypeKind::Bool;
  return either(is_bool ? spv::Op::OpLogicalOr : spv::Op::OpBitwiseOr, type, a, b);
}

void ShadowPass::report(rt::Decision decision, Id condition, Id variable, bool together) {
  if (condition == 0 || !chosen(decision)) return;
  emit(InternalOp::ShadowReport, nullptr,
       {condition, static_cast<uint32_t>(decision), static_cast<uint32_t>(current_->op), variable,
        together || has_products_ ? 1u : 0u});
}

ShadowPass::Ids ShadowPass::operandShadows(const Instruction& i, unsigned plane) {
  Ids shadows;
  for (Id id : valueOperands(i)) shadows.push_back(shadow(id, plane));
  return shadows;
}

void ShadowPass::visitPhi(const Instruction& i) {
  out_phis_.push_back(i);  // phis stay together
  for (unsigned plane = 0; plane < kShadowPlanes; ++plane) {
    const Type* type = shadowType(i.type, plane);
    if (type == nullptr || (state_->of(i.result) & planeBit(plane)) == 0) continue;
    const std::span<uint32_t> operands = words_.copy(i.operands);
    Instruction phi = i;
    phi.type = type;
    phi.result = module_.bound++;
    phi.operands = operands;
    out_phis_.push_back(phi);
    set(i, plane, phi.result);
    phis_.push_back({&i, plane, operands});
  }
}

void ShadowPass::completePhis() {
  for (const PhiToComplete& p : phis_)
    for (size_t k = 0; k + 1 < p.operands.size(); k += 2) {
      const Id known = shadow(p.phi->operands[k], p.plane);
      p.operands[k] = known != 0 ? known : types_.zero(shadowType(p.phi->type, p.plane));
    }
}

void ShadowPass::visit(const Instruction& i) {
  current_ = &i;
  const ShadowRule* found = findShadowRule(i.op);
  const ShadowRule rule = found == nullptr ? ShadowRule::Any : *found;
  if (isElementwise(i)) {
    keep(i);
    return visitElementwise(i);
  }
  switch (rule) {
    case ShadowRule::Phi:
      return visitPhi(i);
    case ShadowRule::Store:
      return visitStore(i);
    case ShadowRule::Copy:
      return visitCopy(i);
    case ShadowRule::CopySized:
      return visitCopySized(i);
    case ShadowRule::Atomic:
    case ShadowRule::AtomicLoad:
    case ShadowRule::AtomicStore:
      return visitAtomic(i, rule);
    case ShadowRule::Load:
      return visitLoad(i);
    case ShadowRule::Broadcast:
    case ShadowRule::MatrixLoad:
    case ShadowRule::MatrixStore:
    case ShadowRule::TensorLoad:
    case ShadowRule::TensorStore:
      return visitMatrix(i, rule);
    default:
      break;
  }
  keep(i);
  if (rule == ShadowRule::Lifetime) return visitLifetime(i);
  if (rule == ShadowRule::Pointer) return visitPointer(i);
  if (i.result == 0 || state_->of(i.result) == kNoPlane) {
    if (rule == ShadowRule::Extended) visitExtended(i);
    if (i.op == spv::Op::OpCopyObject && i.type->kind == TypeKind::Pointer) visitPointer(i);
    return;
  }
  const Type* type = shadowType(i.type);
  switch (rule) {
    case ShadowRule::Undefined:
      return set(i, types_.ones(type));
    case ShadowRule::Any:
      return set(i, any(type, operandShadows(i)));
    case ShadowRule::Joined:
      return set(i, joined(type, operandShadows(i)));
    case ShadowRule::Same:
      if (i.type->kind == TypeKind::Pointer) return visitPointer(i);
      return visitSame(i);
    case ShadowRule::Upwards:
    case ShadowRule::And:
    case ShadowRule::Or:
    case ShadowRule::Xor:
    case ShadowRule::Shift:
    case ShadowRule::BitField:
    case ShadowRule::Equal:
    case ShadowRule::Unsigned:
    case ShadowRule::Signed:
    case ShadowRule::Bits:
      return visitInteger(i, rule);
    case ShadowRule::LogicalAnd:
    case ShadowRule::LogicalOr:
    case ShadowRule::AnyTrue:
    case ShadowRule::AllTrue:
      return visitBoolean(i, rule);
    case ShadowRule::Select:
      return visitSelect(i);
    case ShadowRule::Shuffle:
    case ShadowRule::ExtractDynamic:
    case ShadowRule::InsertDynamic:
    case ShadowRule::Construct:
    case ShadowRule::Extract:
    case ShadowRule::Insert:
      return visitComposite(i, rule);
    case ShadowRule::Extended:
      return visitExtended(i);
    case ShadowRule::Move:
    case ShadowRule::Reduce:
    case ShadowRule::Vote:
    case ShadowRule::Ballot:
      return visitGroup(i, rule);
    case ShadowRule::MulAdd:
      return visitMulAdd(i);
    case ShadowRule::Transpose:
      return visitMatrix(i, rule);
    default:
      return;
  }
}

}  // namespace jit::spirv
