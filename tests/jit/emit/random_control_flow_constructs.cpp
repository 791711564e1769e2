// SPDX-License-Identifier: Apache-2.0

// Ifs, switches and loops.
#include "tests/jit/emit/random_control_flow_writer.h"

namespace jit::test {

using spv::Op;

void ProgramWriter::merge(BlockIndex block, bool uniform) {
  f_->begin(block);
  if (!f_->reached(block)) return f_->terminate(Op::OpUnreachable);
  if (f_->predecessors(block).empty()) return;
  std::vector<RandomValue> phis;
  for (uint32_t p = f_->random.below(3); p > 0; --p)
    phis.push_back(f_->phi(f_->anyType(), uniform));
  for (const RandomValue& v : phis) f_->makeVisible(v);
}

void ProgramWriter::land(const Context& c, BlockIndex block, bool uniform) {
  const uint64_t name = f_->random.next();
  if (f_->reached(block) && c.depth < kMaxDepth && !left_out_.contains(name)) {
    const Random before = std::exchange(f_->random, Random(name));
    const bool is_header = f_->random.chance(14);
    if (is_header) {
      statements_.push_back(name);
      loop(c, name, {{block, uniform}});
    }
    f_->random = before;
    if (is_header) return;
  }
  merge(block, uniform);
}

void ProgramWriter::ifElse(const Context& c, uint64_t name) {
  const RandomValue when = condition(c);
  const bool together = c.uniform && when.uniform;
  const BlockIndex after = f_->addBlock(), then = f_->addBlock();
  const BlockIndex otherwise = f_->random.chance(55) ? f_->addBlock() : after;
  // Both sides may meet before the merge block.
  const BlockIndex meeting =
      otherwise != after && f_->random.chance(20) ? f_->addBlock() : kNoBlock;
  const BlockIndex end = meeting == kNoBlock ? after : meeting;
  Context inner = c;
  inner.uniform = together;
  const Context side = deeper(inner);
  f_->selectionMerge(after);
  if (f_->random.chance(50))
    f_->branchIf(when.id, then, otherwise);
  else
    f_->branchIf(when.id, otherwise, then);
  land(side, then, together);
  part(inner, name, 0);
  if (f_->open()) f_->branch(end);
  if (otherwise != after) {
    land(side, otherwise, together);
    part(inner, name, 1);
    if (f_->open()) f_->branch(end);
  }
  if (meeting != kNoBlock) {
    land(side, meeting, together);
    part(inner, name, 2);
    if (f_->open()) f_->branch(after);
  }
  land(c, after, together);
}

void ProgramWriter::switchCase(const Context& c, uint64_t name) {
  const RandomValue number =
      f_->random.chance(c.uniform ? 45 : 15) ? f_->loadInput(true) : f_->varying();
  const RandomValue selector = f_->define(ValueType::Uint, Op::OpBitwiseAnd,
                                          {number.id, module_.uintConstant(7)}, number.uniform);
  Context inner = c;
  inner.uniform = inner.lockstep_switch = c.uniform && selector.uniform;
  const BlockIndex after = inner.switch_merge = f_->addBlock();
  std::vector<BlockIndex> blocks;
  std::vector<std::pair<uint32_t, BlockIndex>> cases;
  uint32_t literal = f_->random.below(3);
  for (uint32_t n = 1 + f_->random.below(4); n > 0 && literal < 8; --n) {
    blocks.push_back(f_->addBlock());
    do {
      cases.emplace_back(literal, blocks.back());
      literal += 1 + f_->random.below(2);
    } while (literal < 8 && f_->random.chance(25));
  }
  const uint32_t kind = f_->random.below(3);  // of the default: none, first, last
  const BlockIndex otherwise = kind == 0 ? after : f_->addBlock();
  f_->selectionMerge(after);
  f_->switchOn(selector.id, otherwise, cases);
  if (kind == 1) blocks.insert(blocks.begin(), otherwise);
  if (kind == 2) blocks.push_back(otherwise);
  for (size_t b = 0; b < blocks.size(); ++b) {
    land(deeper(inner), blocks[b], inner.uniform);
    part(inner, name, static_cast<uint32_t>(b));
    if (!f_->open()) continue;
    const bool falls = b + 1 < blocks.size() && !(kind == 1 && b == 0) && f_->random.chance(40);
    f_->branch(falls ? blocks[b + 1] : after);
  }
  land(c, after, inner.uniform);
}

RandomValue ProgramWriter::count(const Counter& counter) {
  if (!counter.variable) return counter.phi.value;
  return f_->define(ValueType::Uint, Op::OpLoad, {counter.variable->id}, counter.uniform);
}

RandomValue ProgramWriter::advance(Counter& counter) {
  const Id one = module_.uintConstant(1);
  const RandomValue next =
      f_->define(ValueType::Uint, Op::OpIAdd, {count(counter).id, one}, counter.uniform);
  if (counter.variable) f_->instruction(Op::OpStore, {counter.variable->id, next.id});
  return next;
}

RandomValue ProgramWriter::loopBound(bool uniform) {
  if (f_->random.chance(25))
    return {module_.uintConstant(1 + f_->random.below(3)), ValueType::Uint, true};
  const RandomValue number = uniform || f_->random.chance(25) ? f_->loadInput(true) : f_->varying();
  return f_->define(ValueType::Uint, Op::OpBitwiseAnd, {number.id, module_.uintConstant(3)},
                    number.uniform);
}

void ProgramWriter::loop(const Context& c, uint64_t name, std::optional<Landing> landing) {
  const auto kind = static_cast<LoopKind>(f_->random.below(4));
  const bool lockstep = c.uniform && f_->random.chance(45);
  Context inner = c;
  inner.uniform = inner.lockstep_loop = lockstep;
  inner.switch_merge = kNoBlock;
  const BlockIndex header = landing ? landing->block : f_->addBlock();
  const BlockIndex after = inner.loop_merge = f_->addBlock();
  const BlockIndex next = inner.loop_continue =
      kind == LoopKind::SingleBlock ? header : f_->addBlock();

  Counter counter{{}, {}, lockstep};
  RandomValue bound{};
  const RandomValue zero{module_.uintConstant(0), ValueType::Uint, true};
  if (!landing) {
    bound = loopBound(lockstep);
    if (f_->random.chance(40)) {
      counter.variable = f_->addVariable(ValueType::Uint, 0);
      f_->instruction(Op::OpStore, {counter.variable->id, zero.id});
    }
    f_->branch(header);
  }
  f_->begin(header);
  std::vector<FunctionWriter::OpenPhi> phis;
  if (!counter.variable) {
    counter.phi = f_->loopPhi(ValueType::Uint, lockstep, zero);
    phis.push_back(counter.phi);
  }
  for (uint32_t p = f_->random.below(3); p > 0; --p)
    phis.push_back(f_->loopPhi(f_->anyType(), lockstep && (!landing || landing->uniform)));
  for (const auto& phi : phis) f_->makeVisible(phi.value);
  if (landing) bound = loopBound(lockstep);  // another one each time around, but a small one
  for (uint32_t s = f_->random.below(3); s > 0; --s) f_->compute(f_->anyType());

  if (kind == LoopKind::SingleBlock) {
    for (uint32_t s = f_->random.below(3); s > 0; --s) singleBlockStatement();
    repeat(kind, counter, phis, bound, header, header, after);
    return land(c, after, lockstep);
  }
  const BlockIndex body = f_->addBlock();
  if (kind == LoopKind::While) {
    const Id goes_on =
        f_->result(Op::OpULessThan, module_.type(ValueType::Bool), {count(counter).id, bound.id});
    f_->loopMerge(after, next);
    f_->branchIf(goes_on, body, after);
  } else {
    f_->loopMerge(after, next);
    f_->branch(body);
  }
  land(deeper(inner), body, lockstep);
  if (kind == LoopKind::WhileInBody && f_->open()) {
    const BlockIndex rest = f_->addBlock();
    const Id ends = f_->result(Op::OpUGreaterThanEqual, module_.type(ValueType::Bool),
                               {count(counter).id, bound.id});
    f_->branchIf(ends, after, rest);
    land(deeper(inner), rest, lockstep);
  }
  part(inner, name, 0);
  if (f_->open()) f_->branch(next);

  if (f_->reached(next)) {
    Context last = inner;
    last.loop_merge = last.loop_continue = kNoBlock;
    last.in_continue = true;
    land(deeper(last), next, lockstep);
    if (f_->random.chance(30)) part(last, name, 1);
  } else {
    f_->begin(next);
  }
  if (f_->open()) repeat(kind, counter, phis, bound, next, header, after);
  land(c, after, lockstep);
}

void ProgramWriter::repeat(LoopKind kind, Counter& counter,
                           const std::vector<FunctionWriter::OpenPhi>& phis,
                           const RandomValue& bound, BlockIndex continue_target, BlockIndex header,
                           BlockIndex after) {
  const bool reached = f_->reached(continue_target);
  RandomValue more{};
  if (reached) more = advance(counter);
  for (const auto& phi : phis) {
    const RandomValue& v = phi.value;
    const bool is_counter = !counter.variable && v.id == counter.phi.value.id;
    const Id operand = is_counter && reached ? more.id
                       : reached             ? f_->pick(v.type, v.uniform).id
                                             : f_->constant(v.type).id;
    f_->complete(phi, operand, f_->current());
  }
  if (kind == LoopKind::While || kind == LoopKind::WhileInBody || !reached)
    return f_->branch(header);
  const Id goes_on =
      f_->result(Op::OpULessThan, module_.type(ValueType::Bool), {more.id, bound.id});
  if (kind == LoopKind::SingleBlock) f_->loopMerge(after, header);
  f_->branchIf(goes_on, header, after);
}

}  // namespace jit::test
