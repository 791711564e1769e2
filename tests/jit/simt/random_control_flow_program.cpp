#include "tests/jit/simt/random_control_flow_program.h"

#include "tests/jit/simt/random_control_flow_function.h"

namespace jit::test {
namespace {

using spv::Op;
using spv::StorageClass;

constexpr int kMaxDepth = 3;

// What is around a statement.
struct Context {
  BlockIndex loop_merge = kNoBlock, loop_continue = kNoBlock, switch_merge = kNoBlock;
  // Invocations of a workgroup go through the loop, the switch, together; nobody leaves alone.
  bool lockstep_loop = false, lockstep_switch = false;
  // All invocations of the workgroup that have not returned get here together: barriers may be.
  bool uniform = false;
  bool may_return_alone = false;
  bool in_continue = false;
  int depth = 0;
};

struct InnerFunction {
  Id id;
  std::vector<ValueType> parameters;
  bool takes_pointer;  // to a uint, as the last parameter
  bool has_barrier;
};

class ProgramWriter {
 public:
  ProgramWriter(uint64_t seed, const std::set<uint64_t>& left_out)
      : left_out_(left_out), seed_(seed), module_(workgroupSize(seed)) {}

  RandomProgram write() {
    Random random(Random::derive(seed_, 1));
    for (uint32_t v = random.below(3); v > 0; --v) addPrivateVariable(random);
    for (uint32_t f = 0, count = random.below(4); f < count; ++f)
      writeInner(Random::derive(seed_, 10 + f));
    const Id main = writeMain(Random::derive(seed_, 2));
    return {module_.finish(main), module_.workgroupSize(), std::move(statements_)};
  }

 private:
  static std::array<uint32_t, 3> workgroupSize(uint64_t seed) {
    static constexpr std::array<uint32_t, 3> kSizes[] = {
        {8, 1, 1},  {16, 1, 1}, {32, 1, 1}, {64, 1, 1},  {20, 1, 1}, {33, 1, 1}, {7, 1, 1},
        {70, 1, 1}, {8, 4, 1},  {16, 2, 2}, {32, 3, 1},  {5, 3, 2},  {1, 9, 1},  {64, 2, 1},
        {1, 1, 1},  {3, 1, 8},  {96, 1, 1}, {128, 1, 1}, {1, 40, 1}, {8, 8, 2},
    };
    return kSizes[Random(Random::derive(seed, 0)).below(std::size(kSizes))];
  }

  void addPrivateVariable(Random& random) {
    const Id type = module_.type(ValueType::Uint);
    const Id start = module_.uintConstant(random.below(100));
    privates_.push_back({module_.variable(StorageClass::Private, type, start),
                         StorageClass::Private, ValueType::Uint, 0});
  }

  void beginFunction(FunctionWriter& f) {
    f_ = &f;
    f.begin(f.addBlock());
    for (const RandomVariable& v : privates_) f.see(v);
    for (uint32_t v = 1 + f.random.below(3); v > 0; --v) {
      static constexpr uint32_t kLengths[] = {0, 0, 0, 2, 4};
      f.see(f.addVariable(f.anyType(), kLengths[f.random.below(std::size(kLengths))]));
    }
    // Large enough to lie outside of the stack.
    if (f.random.chance(5)) f.see(f.addVariable(ValueType::Uvec4, 40));
  }

  Id writeMain(uint64_t seed) {
    FunctionWriter f(module_, Random(seed));
    in_main_ = true;
    beginFunction(f);
    f.varying();
    f.loadBuiltin();
    Context c;
    c.uniform = true;
    c.may_return_alone = f.random.chance(60);
    statements(c, Random::derive(seed, 1), 3 + f.random.below(5));
    if (f.open()) {
      if (flags_ < kFlags) f.setFlag(flags_++);
      f.storeOutput();
      f.terminate(Op::OpReturn);
    }
    const Id type = module_.functionType(module_.voidType(), {});
    const Id main = module_.newId();
    std::vector<uint32_t> declaration;
    append(declaration, Op::OpFunction, std::array{module_.voidType(), main, 0u, type});
    module_.addFunction(f.finish(declaration));
    return main;
  }

  void writeInner(uint64_t seed) {
    FunctionWriter f(module_, Random(seed));
    InnerFunction function{module_.newId(), {}, f.random.chance(40), f.random.chance(25)};
    const Id uint = module_.type(ValueType::Uint);
    std::vector<Id> types, ids;
    std::vector<RandomValue> values;
    for (uint32_t p = 0, count = 1 + f.random.below(3); p < count; ++p) {
      const ValueType type = p == 0 ? ValueType::Uint : f.anyType();
      function.parameters.push_back(type);
      types.push_back(module_.type(type));
      values.push_back({module_.newId(), type, false});
      ids.push_back(values.back().id);
    }
    std::optional<RandomVariable> pointer;
    if (function.takes_pointer) {
      types.push_back(module_.pointerType(StorageClass::Function, uint));
      pointer = {module_.newId(), StorageClass::Function, ValueType::Uint, 0};
      ids.push_back(pointer->id);
    }
    std::vector<uint32_t> declaration;
    append(declaration, Op::OpFunction,
           std::array{uint, function.id, 0u, module_.functionType(uint, types)});
    for (size_t p = 0; p < ids.size(); ++p)
      append(declaration, Op::OpFunctionParameter, std::array{types[p], ids[p]});

    beginFunction(f);
    for (const RandomValue& v : values) f.makeVisible(v);
    if (pointer) f.see(*pointer);
    Context c;
    c.uniform = function.has_barrier;
    c.may_return_alone = !function.has_barrier;
    c.depth = 1;
    statements(c, Random::derive(seed, 1), 1 + f.random.below(4));
    if (f.open()) f.terminate(Op::OpReturnValue, {f.pick(ValueType::Uint).id});
    module_.addFunction(f.finish(declaration));
    functions_.push_back(std::move(function));
  }

  void statements(const Context& c, uint64_t seed, uint32_t count) {
    for (uint32_t i = 0; i < count && f_->open(); ++i) {
      const uint64_t name = Random::derive(seed, i);
      if (left_out_.contains(name)) continue;
      statements_.push_back(name);
      const Random before = f_->random;
      f_->random = Random(name);
      if (c.depth < kMaxDepth && f_->random.chance(42))
        construct(c, name);
      else
        simple(c);
      f_->random = before;
    }
  }

  // The statements of a part of a construct.
  void part(Context c, uint64_t name, uint32_t k) {
    ++c.depth;
    const size_t outer_variables = f_->variables().size();
    if (f_->random.chance(40)) f_->see(f_->addVariable(f_->anyType(), 0));
    const uint32_t most = c.depth >= kMaxDepth ? 2 : 3;
    statements(c, Random::derive(name, k), f_->random.below(most) + (c.depth < kMaxDepth));
    if (f_->open() && f_->random.chance(40)) f_->storeOutput();
    if (f_->open() && f_->random.chance(15)) leave(c);
    f_->forget(outer_variables);
  }

  void construct(const Context& c, uint64_t name) {
    switch (f_->random.below(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return ifElse(c, name);
      case 4:
      case 5:
        return switchCase(c, name);
      default:
        return loop(c, name);
    }
  }

  void simple(const Context& c) {
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

  const RandomVariable& anyVariable() {
    return f_->variables()[f_->random.below(static_cast<uint32_t>(f_->variables().size()))];
  }

  RandomValue condition(const Context& c) {
    return f_->decision(f_->random.chance(c.uniform ? 45 : 15));
  }

  // Where invocations may go from here, leaving constructs; together or some of them.
  std::vector<BlockIndex> exits(const Context& c, bool together) {
    std::vector<BlockIndex> result;
    if (c.loop_merge != kNoBlock && (together || !c.lockstep_loop)) {
      result.push_back(c.loop_merge);
      result.push_back(c.loop_continue);
    }
    if (c.switch_merge != kNoBlock && (together || !c.lockstep_switch))
      result.push_back(c.switch_merge);
    return result;
  }

  bool mayReturn(const Context& c, bool together) const {
    return !c.in_continue && (together || c.may_return_alone);
  }

  void leave(const Context& c) {
    auto to = exits(c, c.uniform);
    if (mayReturn(c, c.uniform) && c.depth > 0 && (to.empty() || f_->random.chance(30)))
      return returns();
    if (!to.empty()) f_->branch(to[f_->random.below(static_cast<uint32_t>(to.size()))]);
  }

  void returns() {
    if (in_main_)
      f_->terminate(Op::OpReturn);
    else
      f_->terminate(Op::OpReturnValue, {f_->pick(ValueType::Uint).id});
  }

  // A branch out of a construct that needs no merge block of its own, or an if that returns.
  void leaveIf(const Context& c) {
    const RandomValue when = condition(c);
    const bool together = c.uniform && when.uniform;
    auto to = exits(c, together);
    if (mayReturn(c, together) && (to.empty() || f_->random.chance(40))) return returnIf(when);
    if (to.empty()) return;
    const BlockIndex target = to[f_->random.below(static_cast<uint32_t>(to.size()))];
    const BlockIndex rest = f_->addBlock();
    if (f_->random.chance(50))
      f_->branchIf(when.id, target, rest);
    else
      f_->branchIf(when.id, rest, target);
    f_->begin(rest);
  }

  void returnIf(const RandomValue& when) {
    const BlockIndex after = f_->addBlock(), then = f_->addBlock();
    f_->selectionMerge(after);
    f_->branchIf(when.id, then, after);
    f_->begin(then);
    returns();
    f_->begin(after);
    // A store to one place, which must not happen when nobody is left.
    if (flags_ < kFlags && f_->random.chance(50)) f_->setFlag(flags_++);
  }

  // Begins a block that several ways lead to; nothing follows when none does.
  void merge(BlockIndex block, bool uniform) {
    f_->begin(block);
    if (!f_->reached(block)) return f_->terminate(Op::OpUnreachable);
    if (f_->predecessors(block).size() < 2) return;
    std::vector<RandomValue> phis;
    for (uint32_t p = f_->random.below(3); p > 0; --p)
      phis.push_back(f_->phi(f_->anyType(), uniform));
    for (const RandomValue& v : phis) f_->makeVisible(v);
  }

  void ifElse(const Context& c, uint64_t name) {
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

  void switchCase(const Context& c, uint64_t name) {
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

  // The number of times around a loop: in a phi of its header, or in a variable of its own.
  struct Counter {
    std::optional<RandomVariable> variable;
    FunctionWriter::OpenPhi phi;
    bool uniform;
  };

  RandomValue count(const Counter& counter) {
    if (!counter.variable) return counter.phi.value;
    return f_->define(ValueType::Uint, Op::OpLoad, {counter.variable->id}, counter.uniform);
  }

  // One more; the new number.
  RandomValue advance(Counter& counter) {
    const Id one = module_.uintConstant(1);
    const RandomValue next =
        f_->define(ValueType::Uint, Op::OpIAdd, {count(counter).id, one}, counter.uniform);
    if (counter.variable) f_->instruction(Op::OpStore, {counter.variable->id, next.id});
    return next;
  }

  RandomValue loopBound(const Context& c) {
    if (f_->random.chance(25))
      return {module_.uintConstant(1 + f_->random.below(3)), ValueType::Uint, true};
    const RandomValue number =
        f_->random.chance(c.uniform ? 50 : 25) ? f_->loadInput(true) : f_->varying();
    return f_->define(ValueType::Uint, Op::OpBitwiseAnd, {number.id, module_.uintConstant(3)},
                      number.uniform);
  }

  enum class LoopKind { While, WhileInBody, DoWhile, SingleBlock };

  void loop(const Context& c, uint64_t name) {
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

  // What may be in a loop of one block.
  void singleBlockStatement() {
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

  // The end of a loop: around once more, or out.
  void repeat(LoopKind kind, Counter& counter, const std::vector<FunctionWriter::OpenPhi>& phis,
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

  void call(const Context& c) {
    std::vector<const InnerFunction*> callable;
    for (const InnerFunction& f : functions_)
      if (c.uniform || !f.has_barrier) callable.push_back(&f);
    if (callable.empty()) {
      f_->compute(f_->anyType());
      return;
    }
    const InnerFunction& callee =
        *callable[f_->random.below(static_cast<uint32_t>(callable.size()))];
    std::vector<uint32_t> operands{callee.id};
    for (ValueType type : callee.parameters)
      operands.push_back(type == ValueType::Uint ? f_->varying().id : f_->pick(type).id);
    if (callee.takes_pointer) operands.push_back(pointerArgument());
    const RandomValue v{f_->result(Op::OpFunctionCall, module_.type(ValueType::Uint), operands),
                        ValueType::Uint, false};
    f_->makeVisible(v);
  }

  Id pointerArgument() {
    for (const RandomVariable& v : f_->variables())
      if (v.storage == StorageClass::Function && v.type == ValueType::Uint && v.length == 0)
        return v.id;
    f_->see(f_->addVariable(ValueType::Uint, 0));
    return f_->variables().back().id;
  }

  void controlBarrier() {
    const Id scope = module_.uintConstant(static_cast<uint32_t>(spv::Scope::Workgroup));
    const Id semantics = module_.uintConstant(static_cast<uint32_t>(
        spv::MemorySemanticsMask::AcquireRelease | spv::MemorySemanticsMask::WorkgroupMemory));
    f_->instruction(Op::OpControlBarrier, {scope, scope, semantics});
  }

  // A barrier, or an exchange of values through shared memory between two.
  void barrier() {
    controlBarrier();
    if (f_->random.chance(40)) return;
    const Id uint = module_.type(ValueType::Uint);
    const Id pointer = module_.pointerType(StorageClass::Workgroup, uint);
    const Id index_variable = module_.builtin(spv::BuiltIn::LocalInvocationIndex, ValueType::Uint);
    const Id index = f_->result(Op::OpLoad, uint, {index_variable});
    const Id mine = f_->result(Op::OpAccessChain, pointer, {module_.shared(), index});
    f_->instruction(Op::OpStore, {mine, f_->pick(ValueType::Uint).id});
    controlBarrier();
    const Id distance = module_.uintConstant(1 + f_->random.below(70));
    const Id sum = f_->result(Op::OpIAdd, uint, {index, distance});
    const Id other =
        f_->result(Op::OpUMod, uint, {sum, module_.uintConstant(module_.invocations())});
    const Id theirs = f_->result(Op::OpAccessChain, pointer, {module_.shared(), other});
    f_->define(ValueType::Uint, Op::OpLoad, {theirs}, false);
    controlBarrier();
  }

  const std::set<uint64_t>& left_out_;
  const uint64_t seed_;
  ModuleWriter module_;
  FunctionWriter* f_ = nullptr;  // being written
  bool in_main_ = false;
  std::vector<RandomVariable> privates_;
  std::vector<InnerFunction> functions_;
  std::vector<uint64_t> statements_;
  uint32_t flags_ = 0;
};

}  // namespace

RandomProgram makeRandomProgram(uint64_t seed, const std::set<uint64_t>& left_out) {
  return ProgramWriter(seed, left_out).write();
}

}  // namespace jit::test
