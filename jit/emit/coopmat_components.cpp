// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/coopmat_components.h"

#include <llvm/IR/Constants.h>

#include "jit/emit/coopmat_types.h"
#include "jit/ir/matrix_ops.h"
#include "jit/simt/lane_loop.h"

namespace jit::spirv {

namespace {

// Whether a component is a shuffle of vectors; larger matrices go through memory, where they are
// anyway.
bool isShuffled(const Type& matrix) {
  return matrix.rows * matrix.columns <= coopmat::kMostElementsInRegisters;
}

// Not one that the stream's values may lie in meanwhile (emit_subgroups.cpp).
constexpr unsigned kOwnSlot = ~0u;

uint32_t elementsOf(const Type& matrix) { return matrix.rows * matrix.columns; }

// The element that component `index` of a lane is; none for a lane without an invocation.
std::optional<uint32_t> elementOf(const Emission& e, const Type& matrix, uint32_t lane,
                                  uint32_t index) {
  const coopmat::MappedMatrix m = mapped(e, matrix);
  if (lane >= m.invocations) return std::nullopt;
  return coopmat::element(e.request.component_layout, m, lane, index);
}

llvm::Value* extractShuffled(Emission& e, const Type& matrix, llvm::Value* value, uint32_t index) {
  llvm::SmallVector<int, 64> lanes;
  for (uint32_t l = 0; l < e.width(); ++l)
    lanes.push_back(static_cast<int>(elementOf(e, matrix, l, index).value_or(elementsOf(matrix))));
  return e.ir.CreateShuffleVector(value, llvm::Constant::getNullValue(value->getType()), lanes);
}

llvm::Value* insertShuffled(Emission& e, const Type& matrix, llvm::Value* value,
                            llvm::Value* component, uint32_t index) {
  const uint32_t count = elementsOf(matrix);
  component = e.simt.broadcast(component);
  if (e.simt.mask != nullptr)
    component = e.ir.CreateSelect(e.simt.mask, component, extractShuffled(e, matrix, value, index));
  // Widen the components to the matrix's size, then pick from one or the other.
  llvm::SmallVector<int, 256> widen(count, -1), pick(count);
  for (uint32_t l = 0; l < count && l < e.width(); ++l) widen[l] = static_cast<int>(l);
  component = e.ir.CreateShuffleVector(component, widen);
  for (uint32_t k = 0; k < count; ++k) pick[k] = static_cast<int>(k);
  for (uint32_t l = 0; l < count && l < e.width(); ++l)
    if (auto element = elementOf(e, matrix, l, index)) pick[*element] = static_cast<int>(count + l);
  return e.ir.CreateShuffleVector(value, component, pick);
}

llvm::Value* fillShuffled(Emission& e, const Type& matrix, llvm::Value* value) {
  llvm::SmallVector<int, 256> owners(elementsOf(matrix));
  const uint32_t length = coopmat::length(e.request.component_layout, mapped(e, matrix));
  for (uint32_t l = 0; l < e.width(); ++l)
    for (uint32_t c = 0; c < length; ++c)
      if (auto element = elementOf(e, matrix, l, c)) owners[*element] = static_cast<int>(l);
  return e.ir.CreateShuffleVector(value, owners);
}

// A matrix in memory while its components are looked at.
class MatrixCopy {
 public:
  MatrixCopy(Emission& e, const Instruction& i, const Type& matrix)
      : e_(e), instruction_(i), matrix_(matrix), slot_(e.laneSlot(e.leafType(&matrix), kOwnSlot)) {}

  void write(llvm::Value* value) { e_.writeSlot(slot_, value); }
  llvm::Value* read() { return e_.readSlot(slot_); }

  // Where component `index` of each invocation is.
  llvm::Expected<Pointer> component(llvm::Value* index) {
    Pointer p;
    p.pointee = &matrix_;
    p.base = slot_;
    p.offset = e_.ir.getInt64(0);
    if (llvm::Error error = e_.step(p, index, false, nullptr, instruction_)) return error;
    return p;
  }
  llvm::Error put(llvm::Value* index, llvm::Value* component) {
    llvm::Expected<Pointer> at = this->component(index);
    if (!at) return at.takeError();
    return e_.store(*at, Value{matrix_.element, {component}});
  }

 private:
  Emission& e_;
  const Instruction& instruction_;
  const Type& matrix_;
  llvm::AllocaInst* slot_;
};

}  // namespace

llvm::Expected<llvm::Value*> extractComponent(Emission& e, const Instruction& i, const Type& matrix,
                                              llvm::Value* value, uint32_t index) {
  if (isShuffled(matrix)) return extractShuffled(e, matrix, value, index);
  MatrixCopy copy(e, i, matrix);
  copy.write(value);
  llvm::Expected<Pointer> at = copy.component(e.ir.getInt32(index));
  if (!at) return at.takeError();
  llvm::Expected<Value> loaded = e.load(*at);
  if (!loaded) return loaded.takeError();
  return loaded->leaves[0];
}

llvm::Expected<llvm::Value*> insertComponent(Emission& e, const Instruction& i, const Type& matrix,
                                             llvm::Value* value, llvm::Value* component,
                                             uint32_t index) {
  if (isShuffled(matrix)) return insertShuffled(e, matrix, value, component, index);
  MatrixCopy copy(e, i, matrix);
  copy.write(value);
  if (llvm::Error error = copy.put(e.ir.getInt32(index), component)) return error;
  return copy.read();
}

llvm::Expected<llvm::Value*> fillMatrix(Emission& e, const Instruction& i, const Type& matrix,
                                        llvm::Value* value) {
  if (!value->getType()->isVectorTy()) return e.ir.CreateVectorSplat(elementsOf(matrix), value);
  // Where an invocation is not live, nobody knows its value; the first live one's will do.
  llvm::Value* live = e.simt.mask;
  if (live != nullptr)
    value = e.ir.CreateSelect(live, value, e.simt.broadcast(e.simt.uniform(value)));
  if (isShuffled(matrix)) return fillShuffled(e, matrix, value);
  MatrixCopy copy(e, i, matrix);
  llvm::Error error = llvm::Error::success();
  const uint32_t length = coopmat::length(e.request.component_layout, mapped(e, matrix));
  simt::forEachIndex(e.simt, length, [&](llvm::Value* index) {
    e.simt.mask = e.existing();
    error = llvm::joinErrors(std::move(error), copy.put(index, value));
    e.simt.mask = live;
  });
  if (error) return error;
  return copy.read();
}

}  // namespace jit::spirv
