// SPDX-License-Identifier: Apache-2.0

// OpCooperativeMatrixLoadTensorNV with a decode function: each invocation calls it for elements of
// the matrix, one after the other. Where a function decodes several elements at once, and the
// elements of the matrix come in such groups, that one is called instead, once for a group.
// Source: SPV_NV_cooperative_matrix2, "Tensor Layout and View";
// SPV_NV_cooperative_matrix_decode_vector.
#include "jit/base/error.h"
#include "jit/spirv/matrix_calls.h"
#include "jit/spirv/tensor_access.h"
#include "jit/spirv/tensor_lines.h"

namespace jit::spirv {

namespace {

// One load, and the function that is written for it.
class DecodingLoad {
 public:
  DecodingLoad(FunctionBuilder& b, const Instruction& i, const TensorAccess& access)
      : b_(b), i_(i), access_(access), matrix_(*i.type), component_(*i.type->element) {}

  llvm::Error write() {
    if (llvm::Error error = checkOperands()) return error;
    llvm::Expected<const Type*> single = decodeFunction(access_.decode, component_);
    if (!single) return single.takeError();
    const Type* several = nullptr;
    if (access_.decode_vector != 0) {
      llvm::Expected<const Type*> type = decodeFunction(access_.decode_vector, component_);
      if (!type) return type.takeError();
      several = *type;
    }

    whole_ = b_.variableWith(matrix_, b_.parameter(access_.object));
    tensor_ = b_.parameter(access_.pointer);
    layout_ = b_.parameter(access_.layout);
    if (access_.view != 0) view_ = b_.parameter(access_.view);
    b_.shared([&] {
      if (several == nullptr || !comesInGroups(several->element->count))
        return decodeSingly(**single);
      const Id grouped = areGroups(several->element->count);
      b_.when(grouped, [&] { decodeGroups(*several); });
      const Id others = b_.emit(spv::Op::OpLogicalNot, b_.boolean(), {grouped});
      b_.when(others, [&] { decodeSingly(**single); });
    });
    b_.finish(b_.load(matrix_, whole_));
    return llvm::Error::success();
  }

 private:
  const Module& module() const { return b_.reading().module; }

  llvm::Error wrong(const std::string& rule) const {
    return malformed(module().describe(i_) + ": " + rule);
  }

  llvm::Expected<const Type*> operand(Id id, TypeKind kind, const char* what) const {
    llvm::Expected<const Type*> type = b_.typeOf(id);
    if (type && (*type)->kind != kind) return wrong(module().describe(id) + " is not " + what);
    return type;
  }

  llvm::Error checkOperands() {
    llvm::Expected<const Type*> object = b_.typeOf(access_.object);
    if (!object) return object.takeError();
    if (*object != &matrix_) return wrong("Object has another type than the result");
    llvm::Expected<const Type*> layout =
        operand(access_.layout, TypeKind::TensorLayout, "a tensor layout");
    if (!layout) return layout.takeError();
    layout_type_ = *layout;
    if (access_.view != 0) {
      llvm::Expected<const Type*> view =
          operand(access_.view, TypeKind::TensorView, "a tensor view");
      if (!view) return view.takeError();
      view_type_ = *view;
    }
    llvm::Expected<const Type*> pointer = operand(access_.pointer, TypeKind::Pointer, "a pointer");
    if (!pointer) return pointer.takeError();
    if ((*pointer)->storage != spv::StorageClass::StorageBuffer &&
        (*pointer)->storage != spv::StorageClass::PhysicalStorageBuffer)
      return wrong("what is decoded lies in StorageBuffer or PhysicalStorageBuffer");
    if (access_.decode == 0) return wrong("DecodeVectorFunc stands beside a DecodeFunc");
    return llvm::Error::success();
  }

  // The type of one of the functions, which keeps their rules.
  llvm::Expected<const Type*> decodeFunction(Id id, const Type& component) {
    llvm::Expected<const Type*> type = functionType(b_, i_, id);
    if (!type) return type.takeError();
    const std::string unlike = ", unlike " + module().describe(id);
    const uint32_t dimensions = layout_type_->count;
    auto is_coordinates = [&](const Type& parameter) {
      return parameter.kind == TypeKind::Array && parameter.count == dimensions &&
             parameter.element->kind == TypeKind::Int && parameter.element->width == 32;
    };
    const Type& result = *(*type)->element;
    if (id == access_.decode) {
      if (&result != &component)
        return wrong("a decode function returns a component of the matrix" + unlike);
    } else if (result.kind != TypeKind::Vector || result.element != &component ||
               (result.count != 2 && result.count != 4 && result.count != 8)) {
      return wrong("a vector decode function returns 2, 4 or 8 components of the matrix" + unlike);
    }
    const auto& parameters = (*type)->parameters;
    if (parameters.size() != 3 || parameters[0]->kind != TypeKind::Pointer ||
        parameters[0]->storage != spv::StorageClass::PhysicalStorageBuffer)
      return wrong("a decode function takes a pointer to PhysicalStorageBuffer and two arrays" +
                   unlike);
    if (!is_coordinates(*parameters[1]) || !is_coordinates(*parameters[2]))
      return wrong("a decode function takes arrays of " + std::to_string(dimensions) +
                   " integers of 32 bits, one for each dimension of the tensor layout" + unlike);
    return type;
  }

  // Whether the types allow that `size` elements side by side in the matrix are a group: they lie
  // along the innermost dimension, and are inside of the layout or outside of it together.
  bool comesInGroups(uint32_t size) {
    const std::optional<coopmat::Layout> lines = tensorLines(*layout_type_, view_type_);
    if (!lines || (view_type_ != nullptr && view_type_->has_dimensions)) return false;
    by_columns_ = *lines == coopmat::Layout::Column;
    const bool clamps = layout_type_->clamp_mode != spv::TensorClampMode::Undefined &&
                        layout_type_->clamp_mode != spv::TensorClampMode::Constant;
    return !clamps && (by_columns_ ? matrix_.rows : matrix_.columns) % size == 0;
  }

  Id areGroups(uint32_t size) {
    llvm::SmallVector<Id, 4> operands{matrix_.id, layout_, b_.constant(size)};
    if (view_ != 0) operands.push_back(view_);
    return b_.emit(InternalOp::TensorHasGroups, b_.boolean(), operands);
  }

  void whenAt(spv::Op compare, Id region, TensorRegion at, llvm::function_ref<void()> body) {
    const Id number = b_.constant(static_cast<uint32_t>(at));
    b_.when(b_.emit(compare, b_.boolean(), {region, number}), body);
  }

  // Calls a function for the element with this number; `set` gets what it returns, or what the
  // element is where it is not decoded.
  void decode(Id function, const Type& type, Id number, bool clips, FunctionBuilder::Body set,
              FunctionBuilder::Body fill) {
    const auto& parameters = type.parameters;
    llvm::SmallVector<Id, 6> operands{tensor_, parameters[0]->id, matrix_.id, layout_, number};
    if (view_ != 0) operands.push_back(view_);
    const Type& coordinates = b_.array(b_.u32(), 2 + 2 * layout_type_->count);
    const Id element = b_.emit(InternalOp::TensorElement, coordinates, operands);
    const Id region = b_.emit(InternalOp::TensorElementRegion, b_.u32(), {element});
    whenAt(spv::Op::OpIEqual, region, TensorRegion::Inside, [&] {
      const Id at = b_.emit(InternalOp::TensorElementPointer, *parameters[0], {tensor_, element});
      const Id block = b_.emit(InternalOp::TensorElementBlock, *parameters[1], {element});
      const Id in_block = b_.emit(InternalOp::TensorElementInBlock, *parameters[2], {element});
      set(b_.emit(spv::Op::OpFunctionCall, *type.element, {function, at, block, in_block}));
    });
    auto fillIn = [&] {
      fill(b_.emit(InternalOp::TensorElementFill, component_, {layout_, element}));
    };
    whenAt(spv::Op::OpINotEqual, region, TensorRegion::Inside, [&] {
      if (clips)
        whenAt(spv::Op::OpINotEqual, region, TensorRegion::Clipped, fillIn);
      else
        fillIn();
    });
  }

  // The components that each invocation owns.
  void decodeSingly(const Type& type) {
    const Id length = b_.emit(spv::Op::OpCooperativeMatrixLengthKHR, b_.u32(), {matrix_.id});
    b_.count(length, b_.constant(1), [&](Id index) {
      const Id number = b_.emit(InternalOp::MatrixElementNumber, b_.u32(), {matrix_.id, index});
      auto set = [&](Id value) {
        b_.store(b_.emit(spv::Op::OpAccessChain, b_.pointerTo(component_), {whole_, index}), value);
      };
      auto decodeOne = [&] { decode(access_.decode, type, number, view_ != 0, set, set); };
      // Components that are no elements are not decoded.
      const uint32_t elements = matrix_.rows * matrix_.columns;
      if (elements % invocationsOf(b_.reading(), matrix_) == 0)
        decodeOne();
      else
        b_.when(b_.emit(spv::Op::OpULessThan, b_.boolean(), {number, b_.constant(elements)}),
                decodeOne);
    });
  }

  // Groups side by side in the matrix, so that what invocations store lies side by side too.
  void decodeGroups(const Type& type) {
    const uint32_t size = type.element->count;
    const uint32_t groups = matrix_.rows * matrix_.columns / size;
    const uint32_t step = by_columns_ ? matrix_.columns : 1;
    forEachInParallel(b_, matrix_, b_.constant(groups), groups, [&](Id k) {
      Id first = b_.arithmetic(spv::Op::OpIMul, k, b_.constant(size));
      if (by_columns_) {
        const Id columns = b_.constant(matrix_.columns);
        const Id row = b_.arithmetic(spv::Op::OpUDiv, k, columns);
        const Id column = b_.arithmetic(spv::Op::OpUMod, k, columns);
        first = b_.arithmetic(spv::Op::OpIMul, row, b_.constant(size * matrix_.columns));
        first = b_.arithmetic(spv::Op::OpIAdd, first, column);
      }
      auto setEach = [&](llvm::function_ref<Id(Id)> value) {
        for (uint32_t j = 0; j < size; ++j) {
          const Id number = b_.arithmetic(spv::Op::OpIAdd, first, b_.constant(j * step));
          b_.store(
              b_.emit(InternalOp::MatrixElementPointer, b_.pointerTo(component_), {whole_, number}),
              value(b_.constant(j)));
        }
      };
      decode(
          access_.decode_vector, type, first, false,
          [&](Id vector) {
            setEach([&](Id j) {
              return b_.emit(spv::Op::OpVectorExtractDynamic, component_, {vector, j});
            });
          },
          [&](Id value) { setEach([&](Id) { return value; }); });
    });
  }

  FunctionBuilder& b_;
  const Instruction& i_;
  const TensorAccess& access_;
  const Type& matrix_;
  const Type& component_;
  const Type* layout_type_ = nullptr;
  const Type* view_type_ = nullptr;
  Id whole_ = 0, tensor_ = 0, layout_ = 0, view_ = 0;
  bool by_columns_ = false;  // how groups lie in the matrix
};

}  // namespace

llvm::Error writeDecodingLoad(FunctionBuilder& b, const Instruction& i) {
  const std::optional<TensorAccess> access = tensorAccess(i);
  if (!access || i.type->kind != TypeKind::CooperativeMatrix)
    return malformed(b.reading().module.describe(i) + " lacks operands, or gives no matrix");
  return DecodingLoad(b, i, *access).write();
}

}  // namespace jit::spirv
