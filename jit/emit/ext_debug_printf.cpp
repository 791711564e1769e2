// SPDX-License-Identifier: Apache-2.0

// The extended instruction set NonSemantic.DebugPrintf.
//
// Arguments are stored for all invocations side by side, and a call
// (runtime/kernel_library/debug_printf.h) prints a message for each live invocation; in wide
// streams, one call for each 64 of them.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include "jit/emit/ext_debug_printf.h"
#include "jit/emit/ext_glsl450.h"
#include "jit/emit/float8_values.h"
#include "runtime/kernel_abi.h"
#include "runtime/kernel_library/debug_printf.h"

namespace jit::spirv {

namespace {

using llvm::Error;

constexpr uint32_t kDebugPrintf = 1;  // the only instruction of the set
constexpr uint32_t kMaskBits = 64;    // of rt::debugPrintf's `live`
constexpr char kFunction[] = "tessera.debug_printf";

// Components of all arguments, each as i64, and what they are.
struct Arguments {
  std::vector<rt::PrintfArgument> types;
  llvm::SmallVector<llvm::Value*, 8> components;
};

llvm::GlobalVariable* constantData(Emission& e, llvm::Constant* data, const char* name) {
  auto* global = new llvm::GlobalVariable(e.output(), data->getType(), true,
                                          llvm::GlobalValue::PrivateLinkage, data, name);
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return global;
}

llvm::Constant* text(Emission& e, const std::string& string) {
  return constantData(e, llvm::ConstantDataArray::getString(e.context, string), "text");
}

// A scalar's leaf as 64 bits.
llvm::Value* widened(Emission& e, const Type& scalar, llvm::Value* leaf) {
  auto& ir = e.ir;
  if (scalar.kind == TypeKind::Float) {
    leaf = inLlvmFormat(e, scalar, leaf);
    if (leaf->getType()->getScalarSizeInBits() == 16)
      leaf = ir.CreateFPExt(leaf, shapedLike(leaf, ir.getFloatTy()));
    leaf = ir.CreateBitCast(leaf, integerTypeLike(leaf));
  }
  llvm::Type* wide = shapedLike(leaf, ir.getInt64Ty());
  return scalar.kind == TypeKind::Int && scalar.is_signed ? ir.CreateSExt(leaf, wide)
                                                          : ir.CreateZExt(leaf, wide);
}

rt::PrintfArgument describe(const Type& type) {
  const Type& scalar = *type.scalar();
  rt::PrintfArgument argument{rt::PrintfKind::Unsigned, 32, 1, 0};
  if (type.kind == TypeKind::Vector) argument.components = static_cast<uint8_t>(type.count);
  if (scalar.kind == TypeKind::Pointer) {
    argument.bits = 64;
  } else if (scalar.kind == TypeKind::Float) {
    argument.kind = rt::PrintfKind::Float;
    argument.bits = scalar.width == 64 ? 64 : 32;
  } else if (scalar.kind == TypeKind::Int) {
    argument.kind = scalar.is_signed ? rt::PrintfKind::Signed : rt::PrintfKind::Unsigned;
    argument.bits = static_cast<uint8_t>(scalar.width);
  }
  return argument;
}

Error addArgument(Emission& e, const Instruction& i, Id id, Arguments& arguments) {
  if (auto string = e.module.strings.find(id); string != e.module.strings.end()) {
    arguments.types.push_back({rt::PrintfKind::String, 64, 1, 0});
    arguments.components.push_back(e.ir.CreatePtrToInt(text(e, string->second), e.ir.getInt64Ty()));
    return Error::success();
  }
  llvm::Expected<Value> value = e.value(id);
  if (!value) return value.takeError();
  const Type& type = *value->type;
  const bool is_address = type.kind == TypeKind::Pointer && value->leaves.size() == 1;
  if (!type.isScalar() && type.kind != TypeKind::Vector && !is_address)
    return e.unsupportedAt(i, "an argument that is neither a scalar nor a vector of numbers");
  arguments.types.push_back(describe(type));
  for (llvm::Value* leaf : value->leaves)
    arguments.components.push_back(widened(e, *type.scalar(), leaf));
  return Error::success();
}

}  // namespace

Error emitDebugPrintf(Emission& e, const Instruction& i) {
  auto& ir = e.ir;
  if (i.operands[1] != kDebugPrintf)
    return e.unsupportedAt(
        i, "instruction " + std::to_string(i.operands[1]) + " of NonSemantic.DebugPrintf");
  auto format = i.operands.size() > kFirstOperand ? e.module.strings.find(i.operands[kFirstOperand])
                                                  : e.module.strings.end();
  if (format == e.module.strings.end())
    return malformed(e.module.describe(i) + ": the format is not an OpString");
  Arguments arguments;
  for (Id id : i.operands.subspan(kFirstOperand + 1))
    if (Error error = addArgument(e, i, id, arguments)) return error;

  auto* ptr = ir.getPtrTy();
  llvm::FunctionCallee function = e.output().getOrInsertFunction(
      kFunction,
      llvm::FunctionType::get(
          ir.getVoidTy(), {ptr, ptr, ptr, ir.getInt32Ty(), ptr, ir.getInt32Ty(), ir.getInt64Ty()},
          false));
  llvm::cast<llvm::Function>(function.getCallee())->setDoesNotThrow();

  llvm::Type* row = e.simt.vectorOf(ir.getInt64Ty());
  const auto count = static_cast<unsigned>(arguments.components.size());
  llvm::AllocaInst* values = e.allocate(llvm::ArrayType::get(row, std::max(count, 1u)), "printf");
  for (unsigned c = 0; c < count; ++c)
    ir.CreateAlignedStore(e.simt.broadcast(arguments.components[c]),
                          ir.CreateConstInBoundsGEP2_32(values->getAllocatedType(), values, 0, c),
                          llvm::Align(8));
  std::vector<uint8_t> types;
  for (const rt::PrintfArgument& type : arguments.types)
    types.insert(types.end(), {static_cast<uint8_t>(type.kind), type.bits, type.components, 0});
  llvm::Value* output =
      ir.CreateAlignedLoad(ptr,
                           ir.CreateConstGEP1_64(ir.getInt8Ty(), e.dispatch_args,
                                                 offsetof(rt::DispatchArgs, debug_printf)),
                           llvm::Align(8));
  llvm::Constant* format_text = text(e, format->second);
  llvm::Constant* type_data =
      constantData(e, llvm::ConstantDataArray::get(e.context, types), "types");
  llvm::Value* live = e.simt.bits(e.simt.fullMask());
  // A call for as many invocations as there are bits in a word.
  for (uint32_t first = 0; first < e.width(); first += kMaskBits) {
    llvm::Value* word = ir.CreateZExtOrTrunc(ir.CreateLShr(live, first), ir.getInt64Ty());
    ir.CreateCall(function, {output, format_text, type_data,
                             ir.getInt32(static_cast<uint32_t>(arguments.types.size())),
                             ir.CreateConstInBoundsGEP1_64(ir.getInt64Ty(), values, first),
                             ir.getInt32(e.width()), word});
  }
  return Error::success();
}

}  // namespace jit::spirv
