// SPDX-License-Identifier: Apache-2.0

// Integers whose move from lane to lane is known (analysis/lane_shape.h): computed for lane 0
// alone, and for all lanes only where somebody wants that. What lane 0 has follows from what
// operands have in lane 0, whether it is live or not.
#include "jit/emit/emit_lanes.h"

#include <llvm/IR/Constants.h>

#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/simt/lane_loop.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"

namespace jit::spirv {

using simt::LaneShape;

namespace {

constexpr unsigned kOffsetBits = 64;

}  // namespace

// A constant that is less than a page, when it is multiplied.
static bool isSmall(const llvm::Value* value, uint64_t factor = 1) {
  constexpr uint64_t kPage = 4096;
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant != nullptr && factor < kPage && constant->getValue().ult(kPage / factor);
}

const LaneForm* Emission::laneForm(llvm::Value* leaf) const {
  auto found = known_.forms.find(leaf);
  return found == known_.forms.end() ? nullptr : &found->second;
}

void Emission::keepLaneForm(llvm::Value* leaf, LaneForm form) {
  if (!simt.isVarying(leaf) || laneContext().isOneSubgroup()) return;
  const LaneForm* known = laneForm(leaf);
  if (known == nullptr || (known->first == nullptr && form.first != nullptr))
    known_.forms[leaf] = std::move(form);
}

// The weights of a form as a vector: of the constant bits, and of those that are known at run time.
llvm::Value* Emission::inLanes(const LaneForm& form) {
  llvm::Type* type = form.first->getType();
  llvm::SmallVector<llvm::Constant*, 64> steps;
  for (uint32_t l = 0; l < stream_.width; ++l) {
    uint64_t sum = 0;
    for (unsigned b = 0; b < simt::kMaxLaneBits; ++b)
      if ((l >> b & 1) != 0) sum += form.shape.weights[b];
    steps.push_back(llvm::ConstantInt::get(context, integerBits(type->getIntegerBitWidth(), sum)));
  }
  llvm::Value* lanes = ir.CreateAdd(simt.broadcast(form.first), llvm::ConstantVector::get(steps));
  for (const auto& [bit, weight] : form.runtime) {
    llvm::SmallVector<llvm::Constant*, 64> chosen;
    for (uint32_t l = 0; l < stream_.width; ++l)
      chosen.push_back((l >> bit & 1) != 0 ? llvm::Constant::getAllOnesValue(type)
                                           : llvm::Constant::getNullValue(type));
    lanes = ir.CreateAdd(lanes,
                         ir.CreateAnd(simt.broadcast(weight), llvm::ConstantVector::get(chosen)));
  }
  keepLaneForm(lanes, form);
  return lanes;
}

// What lane 2^bit adds to lane 0 in a leaf; null where that is not known.
llvm::Value* Emission::laneWeight(llvm::Value* leaf, unsigned bit) const {
  llvm::Type* type = leaf->getType()->getScalarType();
  if (!simt.isVarying(leaf)) return llvm::Constant::getNullValue(type);
  const LaneForm* form = laneForm(leaf);
  if (form == nullptr || form->first == nullptr) return nullptr;
  for (const auto& [at, weight] : form->runtime)
    if (at == bit) return weight;
  return llvm::ConstantInt::get(type,
                                integerBits(type->getIntegerBitWidth(), form->shape.weights[bit]));
}

// A leaf in lane 0, or in lane 2^bit; null where that is not known.
llvm::Value* Emission::inLane(llvm::Value* leaf, std::optional<unsigned> bit) {
  if (!simt.isVarying(leaf)) return leaf;
  const LaneForm* form = laneForm(leaf);
  if (form == nullptr || form->first == nullptr) return nullptr;
  return bit ? ir.CreateAdd(form->first, laneWeight(leaf, *bit)) : form->first;
}

// The operands of an instruction as one lane has them. A leaf of which that is not known is poison.
llvm::Expected<Value> Emission::valueInLane(Id id, LaneView view) {
  llvm::Expected<Value> whole = valueInStream(id);
  if (!whole) return whole.takeError();
  for (llvm::Value*& leaf : whole->leaves) {
    llvm::Value* one = inLane(leaf, view.bit);
    leaf = one != nullptr ? one : llvm::PoisonValue::get(leaf->getType()->getScalarType());
  }
  return whole;
}

llvm::Expected<Value> Emission::resultOf(const OpcodeRow& row, const Instruction& i,
                                         std::optional<LaneView> view) {
  std::optional<Value> result;
  const LaneScope scope(lane_context_, simt, laneContext().givingTo(result, view), simt.mask);
  if (llvm::Error error = row.emit(*this, i)) return error;
  return std::move(*result);
}

llvm::Error Emission::emitInLanes(const OpcodeRow& row, const Instruction& i) {
  if (!traitsOf(i.op).in_first_lane || !stream_.uniformity->hasShapes(i) ||
      laneContext().isOneSubgroup())
    return row.emit(*this, i);
  // Of each component, whether all operands are known in lane 0, and whether any differs there.
  const uint32_t components = static_cast<uint32_t>(i.type->leaves());
  llvm::SmallVector<bool, 4> follows(components, true);
  bool moves = false;
  for (Id id : valueOperands(i)) {
    llvm::Expected<Value> operand = value(id);
    if (!operand) return operand.takeError();
    for (uint32_t c = 0; c < components; ++c) {
      llvm::Value* leaf = operand->leaves[operand->leaves.size() == 1 ? 0 : c];
      if (!simt.isVarying(leaf)) continue;
      moves = true;
      const LaneForm* form = laneForm(leaf);
      follows[c] = follows[c] && form != nullptr && form->first != nullptr;
    }
  }
  if (!moves) return row.emit(*this, i);

  uint16_t runtime = 0;
  bool any_follows = false, any_whole = false;
  for (uint32_t c = 0; c < components; ++c) {
    const LaneShape shape = stream_.uniformity->shape(i.result, c);
    follows[c] = follows[c] && shape.width != 0 && shape.any == 0;
    any_follows |= follows[c];
    any_whole |= !follows[c] || !shape.exact();
    if (follows[c]) runtime |= shape.runtime;
  }
  Value whole{i.type, llvm::SmallVector<llvm::Value*, 4>(components, nullptr)};
  if (any_whole || checks_shapes_) {
    llvm::Expected<Value> lanes = resultOf(row, i, std::nullopt);
    if (!lanes) return lanes.takeError();
    whole = std::move(*lanes);
  }
  if (any_follows) {
    llvm::Expected<Value> first = resultOf(row, i, LaneView{});
    if (!first) return first.takeError();
    llvm::SmallVector<std::pair<unsigned, Value>, 4> others;
    for (unsigned b = 0; b < simt::kMaxLaneBits; ++b) {
      if ((runtime >> b & 1) == 0) continue;
      llvm::Expected<Value> other = resultOf(row, i, LaneView{b});
      if (!other) return other.takeError();
      others.emplace_back(b, std::move(*other));
    }
    for (uint32_t c = 0; c < components; ++c) {
      if (!follows[c]) continue;
      LaneForm form{.shape = stream_.uniformity->shape(i.result, c), .first = first->leaves[c]};
      for (const auto& [bit, other] : others)
        if ((form.shape.runtime >> bit & 1) != 0)
          form.runtime.emplace_back(bit, ir.CreateSub(other.leaves[c], form.first));
      llvm::Value* by_lane = whole.leaves[c];
      if (form.shape.isUniform() && form.shape.exact())
        whole.leaves[c] = form.first;
      else if (form.shape.exact())
        whole.leaves[c] = inLanes(form);
      else
        keepLaneForm(whole.leaves[c], form);
      if (checks_shapes_) checkShape(i.result, by_lane, whole.leaves[c]);
    }
  }
  for (uint32_t c = 0; c < components; ++c) {
    llvm::Value*& leaf = whole.leaves[c];
    // What does not follow from operands may be uniform even so: a product with 0.
    if (stream_.uniformity->of(i.result, c) < simt::Uniformity::Varying) leaf = simt.uniform(leaf);
    keepRuns(leaf, i.result, c);
  }
  setValue(i, std::move(whole));
  return llvm::Error::success();
}

// That a leaf moves evenly in runs of lanes, where that is all that is known of it.
void Emission::keepRuns(llvm::Value* leaf, Id id, uint32_t component) {
  const LaneShape shape = stream_.uniformity->shape(id, component);
  if (shape.width != 0 && ((shape.any | shape.runtime) & 1) == 0)
    keepLaneForm(leaf, {.shape = shape});
}

void Emission::keepRuns(const Instruction& i, const Value& value) {
  if (!stream_.uniformity->hasShapes(i) || laneContext().isOneSubgroup()) return;
  for (uint32_t c = 0; c < value.leaves.size(); ++c) keepRuns(value.leaves[c], i.result, c);
}

// A built-in of which each lane's value follows from lane 0's.
void Emission::followBuiltin(const Instruction& load, const Pointer& pointer, Value& value) {
  if (!stream_.uniformity->hasShapes(load) || laneContext().isOneSubgroup()) return;
  const auto& decorations = module.decorated(pointer.builtin_variable);
  if (!decorations.builtin) return;
  for (uint32_t c = 0; c < value.leaves.size(); ++c) {
    const LaneShape shape = stream_.uniformity->shape(load.result, c);
    if (!simt.isVarying(value.leaves[c]) || !shape.isLinear() || shape.runtime != 0) continue;
    llvm::Value* first = builtinInFirstLane(*decorations.builtin, pointer.first_leaf + c);
    if (first == nullptr) continue;
    llvm::Value* by_lane = value.leaves[c];
    value.leaves[c] = inLanes({.shape = shape, .first = first});
    if (checks_shapes_) checkShape(load.result, by_lane, value.leaves[c]);
  }
  keepRuns(load, value);
}

llvm::Value* Emission::countedFrom(llvm::Value* first, const Instruction& i,
                                   llvm::function_ref<llvm::Value*()> by_lane) {
  const LaneShape shape = stream_.uniformity->shape(i.result);
  if (!stream_.uniformity->hasShapes(i) || !shape.isLinear() || shape.isUniform() ||
      shape.runtime != 0 || laneContext().isOneSubgroup())
    return by_lane();
  llvm::Value* counted = inLanes({.shape = shape, .first = first});
  if (checks_shapes_) checkShape(i.result, by_lane(), counted);
  return counted;
}

// Ends the process where live lanes, those of `lanes` among them where there are such, have
// something else than the shape says.
void Emission::checkShape(Id id, llvm::Value* by_lane, llvm::Value* by_shape, llvm::Value* lanes) {
  if (by_lane == nullptr || by_lane == by_shape) return;
  llvm::Value* differs = ir.CreateICmpNE(simt.broadcast(ir.CreateFreeze(by_lane)),
                                         simt.broadcast(ir.CreateFreeze(by_shape)));
  differs = simt.amongLive(differs);
  if (lanes != nullptr) differs = ir.CreateAnd(differs, simt.broadcast(lanes));
  simt::ifHolds(simt, simt.any(ir.CreateFreeze(differs)), [&] {
    auto* type = llvm::FunctionType::get(ir.getVoidTy(), {ir.getInt32Ty()}, false);
    ir.CreateCall(output().getOrInsertFunction("tessera.shape_differs", type), {ir.getInt32(id)});
  });
}

// --- phis

// Lane 0's value by that of a lane that is live, whose number is known.
static llvm::Value* fromFirstLive(Emission& e, llvm::Value* leaf,
                                  const simt::LaneWeights& weights) {
  auto& ir = e.ir;
  llvm::Value* live = e.simt.firstLive();
  llvm::Value* moved = llvm::Constant::getNullValue(leaf->getType()->getScalarType());
  for (unsigned b = 0; b < simt::kMaxLaneBits; ++b) {
    if (weights[b] == 0) continue;
    llvm::Value* weight = integerLike(moved, weights[b]);
    llvm::Value* has = ir.CreateICmpNE(ir.CreateAnd(live, ir.getInt32(1u << b)), ir.getInt32(0));
    moved = ir.CreateAdd(moved, ir.CreateSelect(has, weight, integerLike(moved, 0)));
  }
  return ir.CreateSub(e.simt.lane(leaf, live), moved);
}

// Where emission has lost what analysis knows of a leaf. False where that is not enough.
bool Emission::recoverLaneForm(llvm::Value* leaf, const LaneShape& shape, LaneForm& form) {
  if (!shape.isLinear() || shape.runtime != 0) return false;
  form = {.shape = shape, .first = fromFirstLive(*this, leaf, shape.weights)};
  return true;
}

llvm::Value* Emission::inFirstLane(llvm::Value* leaf, const simt::LaneWeights& weights) {
  if (weights == simt::LaneWeights{}) return simt.uniform(leaf);
  llvm::Value* first = inLane(leaf, std::nullopt);
  return first != nullptr ? first : fromFirstLive(*this, leaf, weights);
}

// What a phi's slot keeps: lane 0's value, and what bits add that is known at run time.
llvm::Error Emission::writeLaneSlots(const ValueSlots& slots, size_t k, llvm::Value* leaf,
                                     const Instruction& phi, Id operand) {
  llvm::Value* first = inLane(leaf, std::nullopt);
  LaneForm recovered;
  if (first == nullptr) {
    if (!recoverLaneForm(leaf, stream_.uniformity->shape(operand, static_cast<uint32_t>(k)),
                         recovered))
      return unsupportedAt(phi, "an operand of which too little is known (a defect of the driver)");
    first = recovered.first;
  }
  writeSlot(slots.leaves[k], first);
  for (const auto& [bit, slot] : slots.runtime[k]) {
    llvm::Value* weight = recovered.first == nullptr
                              ? laneWeight(leaf, bit)
                              : integerLike(first, recovered.shape.weights[bit]);
    writeSlot(slot, weight);
  }
  return llvm::Error::success();
}

llvm::Value* Emission::readLaneSlots(const ValueSlots& slots, size_t k, const Instruction& phi) {
  LaneForm form{.shape = stream_.uniformity->shape(phi.result, static_cast<uint32_t>(k)),
                .first = readSlot(slots.leaves[k])};
  for (const auto& [bit, slot] : slots.runtime[k]) form.runtime.emplace_back(bit, readSlot(slot));
  return inLanes(form);
}

// --- pointers

// The bytes to the element that `index` names.
void Emission::followOffset(llvm::Value* index, bool is_signed, uint64_t stride,
                            llvm::Value* before, llvm::Value*& after) {
  const LaneForm* moving = laneForm(index);
  const LaneForm* base = laneForm(before);
  if ((simt.isVarying(index) && moving == nullptr) || (simt.isVarying(before) && base == nullptr) ||
      !simt.isVarying(after))
    return;
  const LaneForm uniform{simt::uniformShape(kOffsetBits)};
  LaneForm distance = uniform;
  if (moving != nullptr) {
    distance = *moving;
    distance.shape = simt::multiply(simt::extend(moving->shape, kOffsetBits, is_signed),
                                    simt::constantShape(kOffsetBits, stride));
  }
  const LaneShape shape = simt::add(base == nullptr ? uniform.shape : base->shape, distance.shape);
  if (shape.width == 0) return;
  LaneForm form{.shape = shape};
  llvm::Value* index0 = moving == nullptr ? index : moving->first;
  llvm::Value* before0 = base == nullptr ? before : base->first;
  if (shape.any == 0 && index0 != nullptr && before0 != nullptr) {
    // Lane 0 may be on the other side of where the index wraps, that is before the start.
    const bool wraps =
        moving != nullptr && !simt::extend(moving->shape, kOffsetBits, is_signed).exact();
    const bool had = base != nullptr && base->by_one_index;
    const bool is_small = isSmall(index0, stride) && (moving == nullptr || moving->runtime.empty());
    form.by_one_index = wraps ? base == nullptr && isSmall(before) : had && is_small;
    const unsigned unused = moving == nullptr ? 0u : moving->shape.width - moving->shape.modulus;
    auto scaled = [&](llvm::Value* v) {
      if (unused != 0) v = ir.CreateAShr(ir.CreateShl(v, unused), unused);
      llvm::Value* wide = is_signed || wraps ? ir.CreateSExtOrTrunc(v, ir.getInt64Ty())
                                             : ir.CreateZExtOrTrunc(v, ir.getInt64Ty());
      return ir.CreateMul(wide, ir.getInt64(stride));
    };
    form.first = ir.CreateAdd(before0, scaled(index0));
    for (unsigned b = 0; b < simt::kMaxLaneBits; ++b) {
      if ((shape.runtime >> b & 1) == 0) continue;
      llvm::Value* weight = ir.CreateAdd(laneWeight(before, b), scaled(laneWeight(index, b)));
      form.runtime.emplace_back(b, weight);
    }
    if (shape.exact()) {
      after = inLanes(form);
      return;
    }
  } else if (((shape.any | shape.runtime) & 1) != 0) {
    return;
  }
  keepLaneForm(after, std::move(form));
}

llvm::Value* Emission::offsetPlus(llvm::Value* offset, uint64_t bytes) {
  if (bytes == 0) return offset;
  llvm::Value* moved = ir.CreateAdd(offset, integerLike(offset, bytes));
  if (auto expected = known_.expected.find(offset); expected != known_.expected.end()) {
    ExpectedLanes lanes = expected->second;
    lanes.first = ir.CreateAdd(lanes.first, ir.getInt64(bytes));
    expect(moved, std::move(lanes));
  }
  const LaneForm* known = laneForm(offset);
  if (known == nullptr) return moved;
  LaneForm form = *known;
  form.shape = simt::add(form.shape, simt::constantShape(kOffsetBits, bytes));
  form.by_one_index &= isSmall(ir.getInt64(bytes));
  if (form.first != nullptr) form.first = ir.CreateAdd(form.first, ir.getInt64(bytes));
  if (form.first != nullptr && form.shape.exact()) return inLanes(form);
  keepLaneForm(moved, std::move(form));
  return moved;
}

}  // namespace jit::spirv
