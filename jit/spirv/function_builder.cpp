// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/function_builder.h"

#include "jit/base/error.h"

namespace jit::spirv {

FunctionBuilder::FunctionBuilder(Reading& reading, WordArena& words, const Instruction& replaced)
    : reading_(reading), words_(words), replaced_(replaced) {
  function_.id = freshId();
  function_.return_type = replaced.type;
  function_.is_written = true;
  startBlock(freshId());
}

const Type& FunctionBuilder::find(llvm::function_ref<bool(const Type&)> fits, Type made) {
  for (const auto& [id, type] : reading_.module.types)
    if (fits(*type)) return *type;
  made.id = freshId();
  auto& slot = reading_.module.types[made.id];
  slot = std::make_unique<Type>(std::move(made));
  return *slot;
}

const Type& FunctionBuilder::boolean() {
  return find([](const Type& type) { return type.kind == TypeKind::Bool; },
              {.kind = TypeKind::Bool});
}

const Type& FunctionBuilder::u32() {
  return find(
      [](const Type& type) {
        return type.kind == TypeKind::Int && type.width == 32 && !type.is_signed;
      },
      {.kind = TypeKind::Int, .width = 32});
}

const Type& FunctionBuilder::pointerTo(const Type& pointee) {
  return find(
      [&](const Type& type) {
        return type.kind == TypeKind::Pointer && type.storage == spv::StorageClass::Function &&
               type.element == &pointee && !type.untyped;
      },
      {.kind = TypeKind::Pointer, .element = &pointee});
}

const Type& FunctionBuilder::array(const Type& element, uint32_t count) {
  return find(
      [&](const Type& type) {
        return type.kind == TypeKind::Array && type.element == &element && type.count == count &&
               type.array_stride == 0;
      },
      {.kind = TypeKind::Array, .element = &element, .count = count});
}

const Type& FunctionBuilder::resized(const Type& matrix, uint32_t rows, uint32_t columns) {
  Type made = matrix;
  made.rows = rows;
  made.columns = columns;
  return find(
      [&](const Type& type) {
        return type.kind == TypeKind::CooperativeMatrix && type.element == matrix.element &&
               type.rows == rows && type.columns == columns && type.scope == matrix.scope &&
               type.use == matrix.use;
      },
      made);
}

Id FunctionBuilder::constant(uint32_t value) {
  const Type& type = u32();
  for (const auto& [id, constant] : reading_.module.constants)
    if (constant.type == &type && constant.leaves[0] == value && !constant.undef) return id;
  const Id id = freshId();
  reading_.module.constants[id] = Constant{.type = &type, .leaves = {value}};
  return id;
}

Id FunctionBuilder::parameter(Id argument) {
  arguments_.push_back(argument);
  function_.parameters.push_back(freshId());
  return function_.parameters.back();
}

Id FunctionBuilder::variable(const Type& type) {
  Variable variable;
  variable.id = freshId();
  variable.type = &pointerTo(type);
  function_.variables.push_back(variable);
  return variable.id;
}

Id FunctionBuilder::variableWith(const Type& type, Id value) {
  const Id id = variable(type);
  store(id, value);
  return id;
}

Instruction FunctionBuilder::instruction(spv::Op op, llvm::ArrayRef<uint32_t> operands) {
  Instruction made;
  made.op = op;
  made.operands = words_.copy(std::span(operands.data(), operands.size()));
  made.word = replaced_.word;
  made.location = replaced_.location;
  return made;
}

Id FunctionBuilder::emit(spv::Op op, const Type& type, llvm::ArrayRef<Id> operands) {
  Instruction made = instruction(op, operands);
  made.type = &type;
  made.result = freshId();
  current().instructions.push_back(made);
  return made.result;
}

void FunctionBuilder::store(Id pointer, Id object) {
  current().instructions.push_back(instruction(spv::Op::OpStore, {pointer, object}));
}

void FunctionBuilder::memoryBarrier() {
  const Id scope = constant(static_cast<uint32_t>(spv::Scope::Workgroup));
  const Id semantics = constant(static_cast<uint32_t>(spv::MemorySemanticsMask::AcquireRelease));
  current().instructions.push_back(instruction(spv::Op::OpMemoryBarrier, {scope, semantics}));
}

void FunctionBuilder::shared(llvm::function_ref<void()> body) {
  current().instructions.push_back(instruction(opcode(InternalOp::SharedCodeBegin), {}));
  body();
  current().instructions.push_back(instruction(opcode(InternalOp::SharedCodeEnd), {}));
}

void FunctionBuilder::startBlock(Id label) {
  function_.blocks.emplace_back();
  current().label = label;
}

void FunctionBuilder::endBlock(spv::Op op, llvm::ArrayRef<Id> operands) {
  current().terminator = instruction(op, operands);
}

void FunctionBuilder::loop(Id first, Step condition, Body body, Step next) {
  const Id before = current().label, header = freshId(), inside = freshId(), again = freshId(),
           after = freshId();
  endBlock(spv::Op::OpBranch, {header});

  startBlock(header);
  current().merge_kind = MergeKind::Loop;
  current().merge_block = after;
  current().continue_block = again;
  const size_t head = function_.blocks.size() - 1;
  const Id i = emit(spv::Op::OpPhi, u32(), {});
  const Id goes_on = condition(i);
  endBlock(spv::Op::OpBranchConditional, {goes_on, inside, after});

  startBlock(inside);
  body(i);
  endBlock(spv::Op::OpBranch, {again});

  startBlock(again);
  const Id stepped = next(i);
  endBlock(spv::Op::OpBranch, {header});
  const Id sources[] = {first, before, stepped, again};
  function_.blocks[head].instructions[0].operands = words_.copy(sources);

  startBlock(after);
}

void FunctionBuilder::count(Id count, Id step, Body body) {
  loop(
      constant(0), [&](Id i) { return emit(spv::Op::OpULessThan, boolean(), {i, count}); }, body,
      [&](Id i) { return arithmetic(spv::Op::OpIAdd, i, step); });
}

void FunctionBuilder::when(Id condition, llvm::function_ref<void()> body) {
  const Id inside = freshId(), after = freshId();
  current().merge_kind = MergeKind::Selection;
  current().merge_block = after;
  endBlock(spv::Op::OpBranchConditional, {condition, inside, after});
  startBlock(inside);
  body();
  endBlock(spv::Op::OpBranch, {after});
  startBlock(after);
}

void FunctionBuilder::finish(Id result) { endBlock(spv::Op::OpReturnValue, {result}); }

Instruction FunctionBuilder::call() {
  llvm::SmallVector<Id, 8> operands{function_.id};
  operands.append(arguments_);
  Instruction made = instruction(spv::Op::OpFunctionCall, operands);
  made.type = replaced_.type;
  made.result = replaced_.result;
  return made;
}

llvm::Expected<const Type*> FunctionBuilder::typeOf(Id argument) const {
  const RawInstruction* definition = reading_.binary.definition(argument);
  if (!definition || definition->type == 0)
    return malformed(reading_.module.describe(replaced_) + ": " +
                     reading_.module.describe(argument) + " is not a value");
  return reading_.type(definition->type);
}

}  // namespace jit::spirv
