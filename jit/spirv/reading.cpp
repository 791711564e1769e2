// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/reading.h"

#include "jit/base/error.h"
#include "jit/spirv/constants.h"
#include "jit/spirv/spelling.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

llvm::Error Reading::notA(const char* what, Id id) const {
  if (auto reason = refused.find(id); reason != refused.end()) return unsupported(reason->second);
  return malformed(module.describe(id) + " is not " + what + " that is declared before its use");
}

llvm::Expected<const Type*> Reading::type(Id id) const {
  auto found = module.types.find(id);
  if (found == module.types.end() || refused.contains(id)) return notA("a type", id);
  return found->second.get();
}

llvm::Expected<const Constant*> Reading::constant(Id id) const {
  const Constant* found = module.constant(id);
  if (!found) return notA("a constant", id);
  return found;
}

llvm::Expected<uint64_t> Reading::integer(Id id) const {
  llvm::Expected<const Constant*> found = constant(id);
  if (!found) return found.takeError();
  const Type& type = *(*found)->type;
  if (type.kind != TypeKind::Int) return notA("an integer constant", id);
  const uint64_t value = (*found)->leaves[0];
  return type.is_signed ? static_cast<uint64_t>(signExtend(value, type.width)) : value;
}

llvm::Expected<uint32_t> Reading::integerBetween(Id id, uint32_t least, uint32_t most,
                                                 const char* what) const {
  llvm::Expected<uint64_t> value = integer(id);
  if (!value) return value.takeError();
  if (*value < least || *value > most) {
    const Type& type = *module.constant(id)->type;
    return malformed(
        std::string(what) + " " + module.describe(id) + " is " +
        (type.is_signed ? std::to_string(static_cast<int64_t>(*value)) : std::to_string(*value)) +
        ", not between " + std::to_string(least) + " and " + std::to_string(most));
  }
  return static_cast<uint32_t>(*value);
}

std::string Reading::describe(const RawInstruction& instruction) const {
  std::string text = spell(instruction.op);
  return instruction.result == 0 ? text : text + " " + module.describe(instruction.result);
}

llvm::Expected<Variable> readVariable(Reading& reading, const RawInstruction& raw) {
  llvm::Expected<const Type*> type = reading.type(raw.type);
  if (!type) return type.takeError();
  if ((*type)->kind != TypeKind::Pointer || raw.operands.empty())
    return malformed(reading.describe(raw) + ": the type is not a pointer");
  Variable variable;
  variable.id = raw.result;
  variable.type = *type;
  variable.storage = static_cast<spv::StorageClass>(raw.operands[0]);
  auto rest = raw.operands.subspan(1);
  if (raw.op == spv::Op::OpUntypedVariableKHR) {
    if (rest.empty())
      return unsupported(reading.describe(raw) + ": an untyped variable without a data type");
    llvm::Expected<const Type*> data = reading.type(rest[0]);
    if (!data) return data.takeError();
    variable.type = variablePointer(reading.module, **type, **data);
    rest = rest.subspan(1);
  }
  if (rest.empty()) return variable;
  variable.initializer = rest[0];
  const RawInstruction* initializer = reading.binary.definition(variable.initializer);
  if (initializer && initializer->op == spv::Op::OpVariable) {
    llvm::Expected<const Type*> pointer = reading.type(initializer->type);
    if (!pointer) return pointer.takeError();
    const bool fits =
        *pointer == variable.type->element && (variable.storage == spv::StorageClass::Private ||
                                               variable.storage == spv::StorageClass::Function);
    if (!fits) return malformed(reading.describe(raw) + ": the initializer does not fit");
    return variable;
  }
  llvm::Expected<const Constant*> value = reading.constant(variable.initializer);
  if (!value) return value.takeError();
  if ((*value)->type != variable.type->element)
    return malformed(reading.describe(raw) + ": the initializer has another type");
  return variable;
}

namespace {

llvm::Error declareVariable(Reading& reading, const RawInstruction& raw) {
  llvm::Expected<Variable> variable = readVariable(reading, raw);
  if (!variable) return variable.takeError();
  reading.module.variables.push_back(*variable);
  return llvm::Error::success();
}

llvm::Error declare(Reading& reading, TypeReader& types, const RawInstruction& raw) {
  switch (raw.op) {
    case spv::Op::OpTypeForwardPointer:
      return types.declareForward(raw);
    case spv::Op::OpVariable:
    case spv::Op::OpUntypedVariableKHR:
      return declareVariable(reading, raw);
    case spv::Op::OpConstantTrue:
    case spv::Op::OpConstantFalse:
    case spv::Op::OpConstant:
    case spv::Op::OpConstantComposite:
    case spv::Op::OpConstantCompositeReplicateEXT:
    case spv::Op::OpConstantNull:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse:
    case spv::Op::OpSpecConstant:
    case spv::Op::OpSpecConstantComposite:
    case spv::Op::OpSpecConstantCompositeReplicateEXT:
    case spv::Op::OpSpecConstantOp:
    case spv::Op::OpConstantDataKHR:
    case spv::Op::OpSpecConstantDataKHR:
    case spv::Op::OpUndef:
      return declareConstant(reading, raw);
    default:
      break;
  }
  if (raw.result == 0) return llvm::Error::success();
  // Types are the only other declarations with a result and without a type; what remains (image
  // samplers as constants, vendors' objects) is refused where it is used.
  if (raw.type == 0) return types.declare(raw);
  return unsupported(reading.describe(raw) + " is not supported");
}

bool isPreambleResult(spv::Op op) {
  return op == spv::Op::OpString || op == spv::Op::OpExtInstImport || op == spv::Op::OpExtInst ||
         op == spv::Op::OpExtInstWithForwardRefsKHR || op == spv::Op::OpDecorationGroup;
}

}  // namespace

llvm::Error readDeclarations(Reading& reading) {
  TypeReader types(reading);
  for (const RawInstruction& raw : reading.binary.instructions()) {
    if (raw.op == spv::Op::OpFunction) break;
    if (isPreambleResult(raw.op)) continue;
    llvm::Error error = llvm::handleErrors(
        declare(reading, types, raw), [&](std::unique_ptr<Failure> failure) -> llvm::Error {
          if (failure->kind != CompileError::Kind::Unsupported || raw.result == 0)
            return llvm::Error(std::move(failure));
          reading.refused[raw.result] = failure->message;
          return llvm::Error::success();
        });
    if (error) return error;
  }
  return types.finish();
}

}  // namespace jit::spirv
