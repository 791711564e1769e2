// SPDX-License-Identifier: Apache-2.0

// The extended instruction set NonSemantic.DebugPrintf.
//
// Arguments are stored for all invocations side by side, and a call
// (runtime/kernel_library/debug_printf.h) prints a message for each live invocation; in wide
// streams, one call for each 64 of them.
//
// A cooperative matrix is stored to the frame as it is, and its argument is the address. A message
// with one is printed once for all who hold it together, by the first live invocation: for each
// subgroup if a matrix is of Subgroup scope (wide streams emit it by subgroup), or else for the
// workgroup.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include "jit/emit/ext_debug_printf.h"
#include "jit/emit/ext_glsl450.h"
#include "jit/emit/float8_values.h"
#include "jit/emit/float_check.h"
#include "jit/ir/marks.h"
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
  // Cooperative matrices, and which components their addresses will be.
  llvm::SmallVector<std::pair<llvm::Value*, size_t>, 2> matrices;
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
  rt::PrintfArgument argument{rt::PrintfKind::Unsigned, 32, 1};
  if (type.kind == TypeKind::Vector) argument.components = static_cast<uint8_t>(type.count);
  if (type.kind == TypeKind::Matrix) {
    argument.components = static_cast<uint8_t>(type.leaves());
    argument.rows = static_cast<uint16_t>(type.element->count);
    argument.columns = static_cast<uint16_t>(type.count);
  }
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
    arguments.types.push_back({rt::PrintfKind::String, 64, 1});
    arguments.components.push_back(e.ir.CreatePtrToInt(text(e, string->second), e.ir.getInt64Ty()));
    return Error::success();
  }
  llvm::Expected<Value> value = e.value(id);
  if (!value) return value.takeError();
  const Type& type = *value->type;
  if (type.kind == TypeKind::CooperativeMatrix) {
    arguments.matrices.emplace_back(value->leaves[0], arguments.components.size());
    arguments.types.push_back({rt::PrintfKind::CooperativeMatrix, 64, 1, formatOf(*type.element),
                               static_cast<uint16_t>(type.rows),
                               static_cast<uint16_t>(type.columns)});
    arguments.components.push_back(nullptr);
    return Error::success();
  }
  const bool is_address = type.kind == TypeKind::Pointer && value->leaves.size() == 1;
  if (!type.isScalar() && type.kind != TypeKind::Vector && type.kind != TypeKind::Matrix &&
      !is_address)
    return e.unsupportedAt(i, "an argument that is no scalar, vector or matrix of numbers");
  arguments.types.push_back(describe(type));
  for (llvm::Value* leaf : value->leaves)
    arguments.components.push_back(widened(e, *type.scalar(), leaf));
  return Error::success();
}

uint64_t alignedBytes(llvm::Value* matrix) {
  auto* type = llvm::cast<llvm::FixedVectorType>(matrix->getType());
  return llvm::alignTo(uint64_t{type->getNumElements()} * type->getScalarSizeInBits() / 8, 64);
}

// Matrices go to the frame, one behind the other.
void storeMatrices(Emission& e, Arguments& arguments) {
  uint64_t bytes = 0;
  for (const auto& [matrix, component] : arguments.matrices) bytes += alignedBytes(matrix);
  llvm::Value* address = bytes == 0 ? nullptr : e.staging(bytes);
  for (const auto& [matrix, component] : arguments.matrices) {
    markPrinted(*e.ir.CreateAlignedStore(matrix, address, llvm::Align(64)));
    arguments.components[component] = e.ir.CreatePtrToInt(address, e.ir.getInt64Ty());
    address = e.ir.CreateConstGEP1_64(e.ir.getInt8Ty(), address, alignedBytes(matrix));
  }
}

// A byte of each argument's description after the other.
llvm::Constant* describeAll(Emission& e, llvm::ArrayRef<rt::PrintfArgument> types) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(types.data()),
                              types.size() * sizeof(rt::PrintfArgument));
  llvm::GlobalVariable* data = constantData(
      e, llvm::ConstantDataArray::getString(e.context, bytes, /*AddNull=*/false), "types");
  data->setAlignment(llvm::Align(alignof(rt::PrintfArgument)));
  return data;
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
  storeMatrices(e, arguments);

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
  llvm::Value* output =
      ir.CreateAlignedLoad(ptr,
                           ir.CreateConstGEP1_64(ir.getInt8Ty(), e.dispatch_args,
                                                 offsetof(rt::DispatchArgs, debug_printf)),
                           llvm::Align(8));
  llvm::Constant* format_text = text(e, format->second);
  llvm::Constant* type_data = describeAll(e, arguments.types);
  llvm::Value* live = e.simt.bits(e.simt.fullMask());
  if (!arguments.matrices.empty()) live = ir.CreateAnd(live, ir.CreateNeg(live));  // the first
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
