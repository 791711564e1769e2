// Ifs, switches and loops.
#include "tests/jit/simt/random_control_flow_writer.h"

namespace jit::test {

using spv::Op;
using spv::StorageClass;

void ProgramWriter::merge(BlockIndex block, bool uniform) {
  f_->begin(block);
  if (!f_->reached(block)) return f_->terminate(Op::OpUnreachable);
  if (f_->predecessors(block).size() < 2) return;
  std::vector<RandomValue> phis;
  for (uint32_t p = f_->random.below(3); p > 0; --p)
    phis.push_back(f_->phi(f_->anyType(), uniform));
  for (const RandomValue& v : phis) f_->makeVisible(v);
}

void ProgramWriter::ifElse(const Context& c, uint64_t name) {
  const RandomValue when = condition(c);
  const bool together = c.uniform && when.uniform;
  const BlockIndex after = f_->addBlock(), then = f_->addBlock();
  const BlockIndex otherwise = f_->random.chance(55) ? f_->addBlock() : after;
  Context inner = c;
  inner.uniform = together;
  f_->selectionMerge(after);
  if (f_->random.chance(50))
    f_->branchIf(when.id, then, otherwise);
  else
    f_->branchIf(when.id, otherwise, then);
  f_->begin(then);
  part(inner, name, 0);
  if (f_->open()) f_->branch(after);
  if (otherwise != after) {
    f_->begin(otherwise);
    part(inner, name, 1);
    if (f_->open()) f_->branch(after);
  }
  merge(after, together);
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
    merge(blocks[b], inner.uniform);
    part(inner, name, static_cast<uint32_t>(b));
    if (!f_->open()) continue;
    const bool falls = b + 1 < blocks.size() && !(kind == 1 && b == 0) && f_->random.chance(40);
    f_->branch(falls ? blocks[b + 1] : after);
  }
  merge(after, inner.uniform);
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

RandomValue ProgramWriter::loopBound(const Context& c) {
  if (f_->random.chance(25))
    return {module_.uintConstant(1 + f_->random.below(3)), ValueType::Uint, true};
  const RandomValue number =
      f_->random.chance(c.uniform ? 50 : 25) ? f_->loadInput(true) : f_->varying();
  return f_->define(ValueType::Uint, Op::OpBitwiseAnd, {number.id, module_.uintConstant(3)},
                    number.uniform);
}

void ProgramWriter::loop(const Context& c, uint64_t name) {
  const auto kind = static_cast<LoopKind>(f_->random.below(4));
  const RandomValue bound = loopBound(c);
  const bool lockstep = c.uniform && bound.uniform && f_->random.chance(70);
  Context inner = c;
  inner.uniform = inner.lockstep_loop = lockstep;
  inner.switch_merge = kNoBlock;
  const BlockIndex header = f_->addBlock(), after = inner.loop_merge = f_->addBlock();
  const BlockIndex next = inner.loop_continue =
      kind == LoopKind::SingleBlock ? header : f_->addBlock();

  Counter counter{{}, {}, lockstep};
  const Id zero = module_.uintConstant(0);
  if (f_->random.chance(40)) {
    counter.variable = f_->addVariable(ValueType::Uint, 0);
    f_->instruction(Op::OpStore, {counter.variable->id, zero});
  }
  const BlockIndex before = f_->current();
  f_->branch(header);
  f_->begin(header);
  std::vector<FunctionWriter::OpenPhi> phis;
  if (!counter.variable) {
    counter.phi = f_->loopPhi(ValueType::Uint, {zero, ValueType::Uint, true}, lockstep);
    phis.push_back(counter.phi);
  }
  for (uint32_t p = f_->random.below(3); p > 0; --p) {
    const ValueType type = f_->anyType();
    const RandomValue first = f_->pickAt(before, type, false);
    phis.push_back(f_->loopPhi(type, first, lockstep && first.uniform));
  }
  for (const auto& phi : phis) f_->makeVisible(phi.value);
  for (uint32_t s = f_->random.below(3); s > 0; --s) f_->compute(f_->anyType());

  if (kind == LoopKind::SingleBlock) {
    for (uint32_t s = f_->random.below(3); s > 0; --s) singleBlockStatement();
    repeat(kind, counter, phis, bound, header, header, after);
    return merge(after, lockstep);
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
  f_->begin(body);
  if (kind == LoopKind::WhileInBody) {
    const BlockIndex rest = f_->addBlock();
    const Id ends = f_->result(Op::OpUGreaterThanEqual, module_.type(ValueType::Bool),
                               {count(counter).id, bound.id});
    f_->branchIf(ends, after, rest);
    f_->begin(rest);
  }
  part(inner, name, 0);
  if (f_->open()) f_->branch(next);

  f_->begin(next);
  if (f_->reached(next)) {
    Context last = inner;
    last.loop_merge = last.loop_continue = kNoBlock;
    last.in_continue = true;
    if (f_->random.chance(30)) part(last, name, 1);
  }
  if (f_->open()) repeat(kind, counter, phis, bound, next, header, after);
  merge(after, lockstep);
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
