// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/emit/random_control_flow_writer.h"

namespace jit::test {

using spv::Op;
using spv::StorageClass;

RandomProgram ProgramWriter::write() {
  if (isOneStream(seed_)) module_.workgroupMatrix();
  Random random(Random::derive(seed_, 1));
  for (uint32_t v = random.below(3); v > 0; --v) addPrivateVariable(random);
  for (uint32_t f = 0, count = random.below(4); f < count; ++f)
    writeInner(Random::derive(seed_, 10 + f));
  const Id main = writeMain(Random::derive(seed_, 2));
  return {module_.finish(main), module_.workgroupSize(), std::move(statements_)};
}

bool ProgramWriter::isOneStream(uint64_t seed) {
  return Random(Random::derive(seed, 4)).chance(15);
}

std::array<uint32_t, 3> ProgramWriter::workgroupSize(uint64_t seed) {
  // What matrices of Workgroup scope allow with every size of subgroups.
  static constexpr std::array<uint32_t, 3> kStreamSizes[] = {
      {64, 1, 1}, {128, 1, 1}, {64, 2, 1}, {128, 1, 2}};
  if (isOneStream(seed))
    return kStreamSizes[Random(Random::derive(seed, 0)).below(std::size(kStreamSizes))];
  static constexpr std::array<uint32_t, 3> kSizes[] = {
      {8, 1, 1},  {16, 1, 1}, {32, 1, 1}, {64, 1, 1},  {20, 1, 1}, {33, 1, 1}, {7, 1, 1},
      {70, 1, 1}, {8, 4, 1},  {16, 2, 2}, {32, 3, 1},  {5, 3, 2},  {1, 9, 1},  {64, 2, 1},
      {1, 1, 1},  {3, 1, 8},  {96, 1, 1}, {128, 1, 1}, {1, 40, 1}, {8, 8, 2},
  };
  return kSizes[Random(Random::derive(seed, 0)).below(std::size(kSizes))];
}

void ProgramWriter::addPrivateVariable(Random& random) {
  const Id type = module_.type(ValueType::Uint);
  const Id start = module_.uintConstant(random.below(100));
  privates_.push_back({module_.variable(StorageClass::Private, type, start), StorageClass::Private,
                       ValueType::Uint, 0});
}

void ProgramWriter::beginFunction(FunctionWriter& f) {
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

Id ProgramWriter::writeMain(uint64_t seed) {
  FunctionWriter f(module_, Random(seed));
  in_main_ = true;
  beginFunction(f);
  if (isOneStream(seed_)) f.addWorkgroupMatrix();
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

void ProgramWriter::writeInner(uint64_t seed) {
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

void ProgramWriter::statements(const Context& c, uint64_t seed, uint32_t count) {
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

void ProgramWriter::part(const Context& around, uint64_t name, uint32_t k) {
  const Context c = deeper(around);
  const size_t outer_variables = f_->variables().size();
  if (f_->random.chance(40)) f_->see(f_->addVariable(f_->anyType(), 0));
  const uint32_t most = c.depth >= kMaxDepth ? 2 : 3;
  statements(c, Random::derive(name, k), f_->random.below(most) + (c.depth < kMaxDepth));
  if (f_->open() && f_->random.chance(40)) f_->storeOutput();
  if (f_->open() && f_->random.chance(15)) leave(c);
  f_->forget(outer_variables);
}

void ProgramWriter::construct(const Context& c, uint64_t name) {
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

RandomProgram makeRandomProgram(uint64_t seed, const std::set<uint64_t>& left_out) {
  return ProgramWriter(seed, left_out).write();
}

}  // namespace jit::test
