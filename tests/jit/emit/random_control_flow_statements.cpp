// SPDX-License-Identifier: Apache-2.0

// Statements that are no constructs, and leaving constructs.
#include "tests/jit/emit/random_control_flow_writer.h"

namespace jit::test {

using spv::Op;
using spv::StorageClass;

void ProgramWriter::simple(const Context& c) {
  switch (f_->random.below(23)) {
    case 0:
    case 1:
      f_->loadInput(f_->random.chance(50));
      return;
    case 2:
    case 3:
    case 4:
    case 5:
      f_->storeOutput();
      return;
    case 6:
    case 7:
      f_->loadVariable(anyVariable());
      return;
    case 8:
    case 9:
    case 10:
      f_->storeVariable(anyVariable());
      return;
    case 11:
      if (f_->random.chance(50))
        f_->loadOutput();
      else
        f_->loadBuiltin();
      return;
    case 20:
    case 21:
    case 22:
      f_->subgroupOperation();
      return;
    case 12:
      if (flags_ < kFlags) f_->setFlag(flags_++);
      return;
    case 13:
      return leave(c);
    case 14:
      return leaveIf(c);
    case 15:
      if (c.uniform) return barrier();
      [[fallthrough]];
    case 16:
      return call(c);
    default:
      f_->compute(f_->anyType(), f_->random.chance(30));
      return;
  }
}

const RandomVariable& ProgramWriter::anyVariable() {
  return f_->variables()[f_->random.below(static_cast<uint32_t>(f_->variables().size()))];
}

RandomValue ProgramWriter::condition(const Context& c) {
  return f_->decision(f_->random.chance(c.uniform ? 45 : 15));
}

std::vector<BlockIndex> ProgramWriter::exits(const Context& c, bool together) {
  std::vector<BlockIndex> result;
  if (c.loop_merge != kNoBlock && (together || !c.lockstep_loop)) {
    result.push_back(c.loop_merge);
    result.push_back(c.loop_continue);
  }
  if (c.switch_merge != kNoBlock && (together || !c.lockstep_switch))
    result.push_back(c.switch_merge);
  return result;
}

bool ProgramWriter::mayReturn(const Context& c, bool together) const {
  return !c.in_continue && (together || c.may_return_alone);
}

void ProgramWriter::leave(const Context& c) {
  // A merge block that nothing reaches may end a continue construct nowhere but at its back edge.
  if (c.in_continue) return;
  auto to = exits(c, c.uniform);
  if (mayReturn(c, c.uniform) && c.depth > 0 && (to.empty() || f_->random.chance(30)))
    return returns();
  if (!to.empty()) f_->branch(to[f_->random.below(static_cast<uint32_t>(to.size()))]);
}

void ProgramWriter::returns() {
  if (in_main_)
    f_->terminate(Op::OpReturn);
  else
    f_->terminate(Op::OpReturnValue, {f_->pick(ValueType::Uint).id});
}

void ProgramWriter::leaveIf(const Context& c) {
  const RandomValue when = condition(c);
  const bool together = c.uniform && when.uniform;
  auto to = exits(c, together);
  if (mayReturn(c, together) && (to.empty() || f_->random.chance(40)))
    return returnIf(c, when, together);
  if (to.empty()) return;
  const BlockIndex target = to[f_->random.below(static_cast<uint32_t>(to.size()))];
  const BlockIndex rest = f_->addBlock();
  if (f_->random.chance(50))
    f_->branchIf(when.id, target, rest);
  else
    f_->branchIf(when.id, rest, target);
  land(c, rest, together);
}

void ProgramWriter::returnIf(const Context& c, const RandomValue& when, bool together) {
  const BlockIndex after = f_->addBlock(), then = f_->addBlock();
  f_->selectionMerge(after);
  f_->branchIf(when.id, then, after);
  f_->begin(then);
  returns();
  land(c, after, together);
  if (!f_->open()) return;
  // A store to one place, which must not happen when nobody is left.
  if (flags_ < kFlags && f_->random.chance(50)) f_->setFlag(flags_++);
}

void ProgramWriter::singleBlockStatement() {
  switch (f_->random.below(4)) {
    case 0:
      return f_->storeOutput();
    case 1:
      return f_->storeVariable(anyVariable());
    default:
      f_->loadVariable(anyVariable());
      return;
  }
}

void ProgramWriter::call(const Context& c) {
  std::vector<const InnerFunction*> callable;
  for (const InnerFunction& f : functions_)
    if (c.uniform || !f.has_barrier) callable.push_back(&f);
  if (callable.empty()) {
    f_->compute(f_->anyType());
    return;
  }
  const InnerFunction& callee = *callable[f_->random.below(static_cast<uint32_t>(callable.size()))];
  std::vector<uint32_t> operands{callee.id};
  for (ValueType type : callee.parameters)
    operands.push_back(type == ValueType::Uint ? f_->varying().id : f_->pick(type).id);
  if (callee.takes_pointer) operands.push_back(pointerArgument());
  const RandomValue v{f_->result(Op::OpFunctionCall, module_.type(ValueType::Uint), operands),
                      ValueType::Uint, false};
  f_->makeVisible(v);
}

Id ProgramWriter::pointerArgument() {
  for (const RandomVariable& v : f_->variables())
    if (v.storage == StorageClass::Function && v.type == ValueType::Uint && v.length == 0)
      return v.id;
  f_->see(f_->addVariable(ValueType::Uint, 0));
  return f_->variables().back().id;
}

void ProgramWriter::controlBarrier() {
  const Id scope = module_.uintConstant(static_cast<uint32_t>(spv::Scope::Workgroup));
  auto semantics =
      spv::MemorySemanticsMask::AcquireRelease | spv::MemorySemanticsMask::WorkgroupMemory;
  if (module_.hasVulkanMemoryModel())
    semantics =
        semantics | spv::MemorySemanticsMask::MakeAvailable | spv::MemorySemanticsMask::MakeVisible;
  f_->instruction(Op::OpControlBarrier,
                  {scope, scope, module_.uintConstant(static_cast<uint32_t>(semantics))});
}

void ProgramWriter::barrier() {
  controlBarrier();
  if (f_->random.chance(40)) return;
  const Id uint = module_.type(ValueType::Uint);
  const Id pointer = module_.pointerType(StorageClass::Workgroup, uint);
  const Id index_variable = module_.builtin(spv::BuiltIn::LocalInvocationIndex, ValueType::Uint);
  const Id index = f_->result(Op::OpLoad, uint, {index_variable});
  const Id mine = f_->result(Op::OpAccessChain, pointer, {module_.shared(), index});
  // The Vulkan memory model takes what is not said to be shared for the invocation's own.
  std::vector<uint32_t> access;
  if (module_.hasVulkanMemoryModel())
    access.push_back(static_cast<uint32_t>(spv::MemoryAccessMask::NonPrivatePointer));
  std::vector<uint32_t> store{mine, f_->pick(ValueType::Uint).id};
  store.insert(store.end(), access.begin(), access.end());
  f_->instruction(Op::OpStore, store);
  controlBarrier();
  const Id distance = module_.uintConstant(1 + f_->random.below(70));
  const Id sum = f_->result(Op::OpIAdd, uint, {index, distance});
  const Id other = f_->result(Op::OpUMod, uint, {sum, module_.uintConstant(module_.invocations())});
  const Id theirs = f_->result(Op::OpAccessChain, pointer, {module_.shared(), other});
  std::vector<uint32_t> load{theirs};
  load.insert(load.end(), access.begin(), access.end());
  f_->makeVisible({f_->result(Op::OpLoad, uint, load), ValueType::Uint, false});
  controlBarrier();
}

}  // namespace jit::test
