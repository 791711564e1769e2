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

// Metadata of each operation's function: its name, then its constants.
//   !{!"load", component, rows, columns, layout}         and "store"
//   !{!"transpose", component, rows, columns}
//   !{!"muladd", m, n, k, a, b, c, result, saturating, may fuse}
constexpr llvm::StringLiteral kKind = "tessera.matrix";
constexpr llvm::StringLiteral kLoad = "load", kStore = "store", kTranspose = "transpose",
                              kMulAdd = "muladd";

using Constants = llvm::SmallVector<uint32_t, 9>;

Constants constantsOf(const MatrixType& type) {
  return {static_cast<uint32_t>(type.component), type.rows, type.columns};
}

llvm::MDNode* describe(llvm::LLVMContext& context, llvm::StringRef operation,
                       llvm::ArrayRef<uint32_t> constants) {
  llvm::SmallVector<llvm::Metadata*> operands{llvm::MDString::get(context, operation)};
  auto* i32 = Type::getInt32Ty(context);
  for (uint32_t constant : constants)
    operands.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(i32, constant)));
  return llvm::MDNode::get(context, operands);
}

// tessera.matrix.load.v256f16.0.16.16.0.0: for readers.
std::string nameOf(llvm::StringRef operation, llvm::ArrayRef<Type*> types,
                   llvm::ArrayRef<uint32_t> constants) {
  std::string name = (kKind + "." + operation + ".").str();
  llvm::raw_string_ostream stream(name);
  for (Type* type : types) {
    auto* vector = llvm::cast<llvm::FixedVectorType>(type);
    if (type != types.front()) stream << '_';
    stream << 'v' << vector->getNumElements() << *vector->getElementType();
  }
  for (uint32_t constant : constants) stream << '.' << constant;
  return name;
}

// Declares on first use. Every operation returns, does not unwind and does not synchronise.
llvm::Function* declare(IRBuilderBase& builder, llvm::StringRef operation,
                        llvm::ArrayRef<uint32_t> constants, llvm::ArrayRef<Type*> matrices,
                        Type* result, llvm::ArrayRef<Type*> parameters,
                        llvm::MemoryEffects effects) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::MDNode* description = describe(builder.getContext(), operation, constants);
  for (llvm::Function& function : module)
    if (function.isDeclaration() && function.getMetadata(kKind) == description) return &function;
  auto* type = llvm::FunctionType::get(result, parameters, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                          nameOf(operation, matrices, constants), module);
  function->setMetadata(kKind, description);
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

// The constants of a call of an operation that has so many; none for other calls.
std::optional<Constants> constantsOf(const CallInst* call, llvm::StringRef operation,
                                     unsigned count) {
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  const llvm::MDNode* node = callee ? callee->getMetadata(kKind) : nullptr;
  if (node == nullptr || node->getNumOperands() != count + 1) return std::nullopt;
  auto* name = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(0));
  if (name == nullptr || name->getString() != operation) return std::nullopt;
  Constants constants;
  for (const llvm::MDOperand& operand : llvm::drop_begin(node->operands())) {
    auto* constant = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(operand);
    if (constant == nullptr) return std::nullopt;
    constants.push_back(static_cast<uint32_t>(constant->getValue().getLimitedValue(~0u)));
  }
  return constants;
}

// Whether it can be one: constants of metadata may be anything.
bool isMatrixType(const MatrixType& type) {
  constexpr uint32_t kMostElements = 1 << 24;  // far above any matrix
  return static_cast<size_t>(type.component) < std::size(kComponentInfo) && type.rows != 0 &&
         type.columns != 0 && uint64_t{type.rows} * type.columns <= kMostElements;
}

MatrixType typeOf(llvm::ArrayRef<uint32_t> constants) {
  return {static_cast<Component>(constants[0]), constants[1], constants[2]};
}

}  // namespace

Type* vectorType(const MatrixType& type, IRBuilderBase& builder) {
  return llvm::FixedVectorType::get(componentType(type.component, builder),
                                    type.rows * type.columns);
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

Component componentOfWidth(Component component) {
  switch (info(component).bits) {
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

Value* createLoad(IRBuilderBase& builder, const MatrixType& type, Value* base, Value* stride_bytes,
                  Value* limit_bytes, Layout layout) {
  Type* vector = vectorType(type, builder);
  Type* i64 = builder.getInt64Ty();
  Constants constants = constantsOf(type);
  constants.push_back(static_cast<uint32_t>(layout));
  llvm::Function* function =
      declare(builder, kLoad, constants, vector, vector, {builder.getPtrTy(), i64, i64},
              llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref));
  addPointerAttributes(function, 0, Attribute::ReadOnly);
  return builder.CreateCall(function, {base, stride_bytes, limit_bytes});
}

void createStore(IRBuilderBase& builder, Value* matrix, const MatrixType& type, Value* base,
                 Value* stride_bytes, Value* limit_bytes, Layout layout) {
  Type* vector = vectorType(type, builder);
  Type* i64 = builder.getInt64Ty();
  Constants constants = constantsOf(type);
  constants.push_back(static_cast<uint32_t>(layout));
  llvm::Function* function = declare(builder, kStore, constants, vector, builder.getVoidTy(),
                                     {vector, builder.getPtrTy(), i64, i64},
                                     llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Mod));
  addPointerAttributes(function, 1, Attribute::WriteOnly);
  builder.CreateCall(function, {matrix, base, stride_bytes, limit_bytes});
}

Value* createMulAdd(IRBuilderBase& builder, const MulAdd& op, Value* a, Value* b, Value* c) {
  llvm::SmallVector<Type*, 3> parameters{a->getType(), b->getType(), c->getType()};
  llvm::Function* function = declare(
      builder, kMulAdd,
      {op.m, op.n, op.k, static_cast<uint32_t>(op.a), static_cast<uint32_t>(op.b),
       static_cast<uint32_t>(op.c), static_cast<uint32_t>(op.result),
       static_cast<uint32_t>(op.saturating), static_cast<uint32_t>(op.may_fuse_k)},
      parameters, vectorType(op.typeOfResult(), builder), parameters, llvm::MemoryEffects::none());
  function->addFnAttr(Attribute::Speculatable);
  return builder.CreateCall(function, {a, b, c});
}

Value* createTranspose(IRBuilderBase& builder, const MatrixType& type, Value* matrix) {
  if (type.rows == 1 || type.columns == 1) return matrix;
  Type* vector = vectorType(type, builder);
  llvm::Function* function = declare(builder, kTranspose, constantsOf(type), vector, vector, vector,
                                     llvm::MemoryEffects::none());
  function->addFnAttr(Attribute::Speculatable);
  return builder.CreateCall(function, matrix);
}

std::optional<LoadCall> matchLoad(Value* value) {
  auto* call = llvm::dyn_cast<CallInst>(value);
  const auto constants = constantsOf(call, kLoad, 4);
  if (!constants) return std::nullopt;
  return LoadCall{call,
                  typeOf(*constants),
                  call->getArgOperand(0),
                  call->getArgOperand(1),
                  call->getArgOperand(2),
                  static_cast<Layout>((*constants)[3])};
}

std::optional<StoreCall> matchStore(llvm::Instruction* instruction) {
  auto* call = llvm::dyn_cast<CallInst>(instruction);
  const auto constants = constantsOf(call, kStore, 4);
  if (!constants) return std::nullopt;
  return StoreCall{call,
                   typeOf(*constants),
                   call->getArgOperand(0),
                   call->getArgOperand(1),
                   call->getArgOperand(2),
                   call->getArgOperand(3),
                   static_cast<Layout>((*constants)[3])};
}

std::optional<MulAddCall> matchMulAdd(Value* value) {
  auto* call = llvm::dyn_cast<CallInst>(value);
  const auto found = constantsOf(call, kMulAdd, 9);
  if (!found) return std::nullopt;
  const Constants& constants = *found;
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
  const auto constants = constantsOf(call, kTranspose, 3);
  if (!constants) return std::nullopt;
  return TransposeCall{call, typeOf(*constants), call->getArgOperand(0)};
}

bool isMatrixOperation(const llvm::Function& function) { return function.hasMetadata(kKind); }

std::string malformedOperation(CallInst& call) {
  llvm::IRBuilder<> types(call.getContext());
  // Of the arguments, and last of the result.
  llvm::SmallVector<Type*> expected;
  llvm::SmallVector<MatrixType, 4> matrices;
  bool is_layout = true;
  Type *ptr = types.getPtrTy(), *i64 = types.getInt64Ty();
  auto vector = [&](const MatrixType& type) {
    matrices.push_back(type);
    return isMatrixType(type) ? vectorType(type, types) : nullptr;
  };
  if (auto load = matchLoad(&call)) {
    is_layout = load->layout <= Layout::Column;
    expected = {ptr, i64, i64, vector(load->type)};
  } else if (auto store = matchStore(&call)) {
    is_layout = store->layout <= Layout::Column;
    expected = {vector(store->type), ptr, i64, i64, types.getVoidTy()};
  } else if (auto transpose = matchTranspose(&call)) {
    Type* type = vector(transpose->type);
    expected = {type, type};
  } else if (auto mul_add = matchMulAdd(&call)) {
    const MulAdd& op = mul_add->op;
    expected = {vector(op.typeA()), vector(op.typeB()), vector(op.typeC()),
                vector(op.typeOfResult())};
  } else {
    return "an operation whose metadata is of no known form";
  }
  if (!is_layout || !llvm::all_of(matrices, isMatrixType))
    return "an operation on what is no matrix: a component, layout or size out of range";
  const llvm::FunctionType& type = *call.getFunctionType();
  if (type.params() != llvm::ArrayRef(expected).drop_back() ||
      type.getReturnType() != expected.back())
    return "an operation whose function has other types than its metadata says";
  return {};
}

}  // namespace jit::coopmat
