// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/matrix_ops.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ModRef.h>

#include <string>

namespace jit::coopmat {
namespace {

using llvm::Attribute;
using llvm::CallInst;
using llvm::IRBuilderBase;
using llvm::Type;
using llvm::Value;

constexpr llvm::StringLiteral kLoadPrefix = "tessera.matrix.load.";
constexpr llvm::StringLiteral kStorePrefix = "tessera.matrix.store.";
constexpr llvm::StringLiteral kMulAddPrefix = "tessera.matrix.muladd.";
constexpr llvm::StringLiteral kTransposePrefix = "tessera.matrix.transpose.";

// Names carry the constants, so that no pass can turn one into a variable:
// tessera.matrix.load.v256f16.16.16.0, prefix and operand types, then the numbers of the operation.
std::string mangled(llvm::StringRef prefix, llvm::ArrayRef<Type*> types,
                    llvm::ArrayRef<uint32_t> constants) {
  std::string name = prefix.str();
  llvm::raw_string_ostream stream(name);
  for (Type* type : types) {
    auto* vector = llvm::cast<llvm::FixedVectorType>(type);
    if (type != types.front()) stream << '_';
    stream << 'v' << vector->getNumElements() << *vector->getElementType();
  }
  for (uint32_t constant : constants) stream << '.' << constant;
  return name;
}

// The last `count` numbers of the name of the called function.
llvm::SmallVector<uint32_t, 9> constantsOf(const CallInst* call, unsigned count) {
  llvm::SmallVector<uint32_t, 9> constants(count);
  llvm::StringRef rest = call->getCalledFunction()->getName();
  for (unsigned i = count; i-- > 0;) {
    llvm::StringRef number;
    std::tie(rest, number) = rest.rsplit('.');
    number.getAsInteger(10, constants[i]);
  }
  return constants;
}

// Declares on first use. Every operation returns, does not unwind and does not synchronise.
llvm::Function* declare(IRBuilderBase& builder, const std::string& name, Type* result,
                        llvm::ArrayRef<Type*> parameters, llvm::MemoryEffects effects) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  if (llvm::Function* function = module.getFunction(name)) return function;
  auto* type = llvm::FunctionType::get(result, parameters, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  function->setMemoryEffects(effects);
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync,
                                   Attribute::NoFree, Attribute::NoCallback}) {
    function->addFnAttr(kind);
  }
  return function;
}

void addPointerAttributes(llvm::Function* function, unsigned parameter, Attribute::AttrKind kind) {
  llvm::AttrBuilder attributes(function->getContext());
  attributes.addAttribute(kind);
#if LLVM_VERSION_MAJOR >= 21
  attributes.addCapturesAttr(llvm::CaptureInfo::none());
#else
  attributes.addAttribute(Attribute::NoCapture);
#endif
  function->addParamAttrs(parameter, attributes);
}

bool isCallOf(const CallInst* call, llvm::StringRef prefix) {
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(prefix);
}

}  // namespace

Type* matrixType(const MatrixShape& shape) {
  return llvm::FixedVectorType::get(shape.component, shape.rows * shape.columns);
}

Type* componentType(Component component, IRBuilderBase& builder) {
  switch (component) {
    case Component::F16:
      return builder.getHalfTy();
    case Component::BF16:
      return builder.getBFloatTy();
    case Component::F32:
      return builder.getFloatTy();
    case Component::F64:
      return builder.getDoubleTy();
    default:
      return builder.getIntNTy(info(component).bits);
  }
}

Component componentOfWidth(const Type* type) {
  switch (type->getPrimitiveSizeInBits()) {
    case 8:
      return Component::U8;
    case 16:
      return Component::U16;
    case 32:
      return Component::U32;
    default:
      return Component::U64;
  }
}

Value* createLoad(IRBuilderBase& builder, const MatrixShape& shape, Value* base,
                  Value* stride_bytes, Value* limit_bytes, Layout layout) {
  Type* type = matrixType(shape);
  Type* i64 = builder.getInt64Ty();
  llvm::Function* function = declare(
      builder,
      mangled(kLoadPrefix, type, {shape.rows, shape.columns, static_cast<uint32_t>(layout)}), type,
      {builder.getPtrTy(), i64, i64}, llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref));
  addPointerAttributes(function, 0, Attribute::ReadOnly);
  return builder.CreateCall(function, {base, stride_bytes, limit_bytes});
}

void createStore(IRBuilderBase& builder, Value* matrix, const MatrixShape& shape, Value* base,
                 Value* stride_bytes, Value* limit_bytes, Layout layout) {
  Type* type = matrixType(shape);
  Type* i64 = builder.getInt64Ty();
  llvm::Function* function = declare(
      builder,
      mangled(kStorePrefix, type, {shape.rows, shape.columns, static_cast<uint32_t>(layout)}),
      builder.getVoidTy(), {type, builder.getPtrTy(), i64, i64},
      llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Mod));
  addPointerAttributes(function, 1, Attribute::WriteOnly);
  builder.CreateCall(function, {matrix, base, stride_bytes, limit_bytes});
}

Value* createMulAdd(IRBuilderBase& builder, const MulAdd& op, Value* a, Value* b, Value* c) {
  Type* result = matrixType({componentType(op.result, builder), op.m, op.n});
  llvm::SmallVector<Type*, 3> parameters{a->getType(), b->getType(), c->getType()};
  std::string name =
      mangled(kMulAddPrefix, parameters,
              {op.m, op.n, op.k, static_cast<uint32_t>(op.a), static_cast<uint32_t>(op.b),
               static_cast<uint32_t>(op.c), static_cast<uint32_t>(op.result),
               static_cast<uint32_t>(op.saturating), static_cast<uint32_t>(op.may_fuse_k)});
  llvm::Function* function =
      declare(builder, name, result, parameters, llvm::MemoryEffects::none());
  function->addFnAttr(Attribute::Speculatable);
  return builder.CreateCall(function, {a, b, c});
}

Value* createTranspose(IRBuilderBase& builder, const MatrixShape& shape, Value* matrix) {
  if (shape.rows == 1 || shape.columns == 1) return matrix;
  Type* type = matrixType(shape);
  llvm::Function* function =
      declare(builder, mangled(kTransposePrefix, type, {shape.rows, shape.columns}), type, type,
              llvm::MemoryEffects::none());
  function->addFnAttr(Attribute::Speculatable);
  return builder.CreateCall(function, matrix);
}

std::optional<LoadCall> matchLoad(Value* value) {
  auto* call = llvm::dyn_cast<CallInst>(value);
  if (!isCallOf(call, kLoadPrefix)) return std::nullopt;
  auto constants = constantsOf(call, 3);
  auto* type = llvm::cast<llvm::FixedVectorType>(call->getType());
  return LoadCall{call,
                  {type->getElementType(), constants[0], constants[1]},
                  call->getArgOperand(0),
                  call->getArgOperand(1),
                  call->getArgOperand(2),
                  static_cast<Layout>(constants[2])};
}

std::optional<StoreCall> matchStore(llvm::Instruction* instruction) {
  auto* call = llvm::dyn_cast<CallInst>(instruction);
  if (!isCallOf(call, kStorePrefix)) return std::nullopt;
  auto constants = constantsOf(call, 3);
  Value* matrix = call->getArgOperand(0);
  auto* type = llvm::cast<llvm::FixedVectorType>(matrix->getType());
  return StoreCall{call,
                   {type->getElementType(), constants[0], constants[1]},
                   matrix,
                   call->getArgOperand(1),
                   call->getArgOperand(2),
                   call->getArgOperand(3),
                   static_cast<Layout>(constants[2])};
}

std::optional<MulAddCall> matchMulAdd(Value* value) {
  auto* call = llvm::dyn_cast<CallInst>(value);
  if (!isCallOf(call, kMulAddPrefix)) return std::nullopt;
  auto constants = constantsOf(call, 9);
  MulAdd op{constants[0],
            constants[1],
            constants[2],
            static_cast<Component>(constants[3]),
            static_cast<Component>(constants[4]),
            static_cast<Component>(constants[5]),
            static_cast<Component>(constants[6]),
            constants[7] != 0,
            constants[8] != 0};
  return MulAddCall{call, op, call->getArgOperand(0), call->getArgOperand(1),
                    call->getArgOperand(2)};
}

std::optional<TransposeCall> matchTranspose(Value* value) {
  auto* call = llvm::dyn_cast<CallInst>(value);
  if (!isCallOf(call, kTransposePrefix)) return std::nullopt;
  auto constants = constantsOf(call, 2);
  auto* type = llvm::cast<llvm::FixedVectorType>(call->getType());
  return TransposeCall{
      call, {type->getElementType(), constants[0], constants[1]}, call->getArgOperand(0)};
}

}  // namespace jit::coopmat
