// SPDX-License-Identifier: Apache-2.0

// Types of a shader as debuggers know them, with GLSL's names. Vectors are structures with the
// members x, y, z and w, matrices arrays of their columns, cooperative matrices arrays of their
// rows. Internal to jit/emit.
#pragma once

#include <llvm/IR/DIBuilder.h>

#include <map>
#include <tuple>

#include "jit/spirv/memory_layout.h"
#include "jit/spirv/module.h"

namespace jit::spirv {

// Where the scalars of a value lie.
struct DebugLayout {
  enum class Kind : uint8_t {
    Lanes,     // `step` bytes from each scalar to the next: all lanes have one in between
    Natural,   // as in variables without decorations (memory_layout.h)
    Explicit,  // as decorations say
  };
  Kind kind = Kind::Natural;
  uint64_t step = 0;
  MatrixLayout matrix = {};
  uint32_t component_stride = 0;  // of a vector; 0: its components are side by side
  // How many elements a runtime array has; null: a debugger cannot tell.
  llvm::DIVariable* elements = nullptr;
  auto key() const {
    return std::tuple(kind, step, matrix.stride, matrix.row_major, component_stride, elements);
  }
};

class DebugTypes {
 public:
  DebugTypes(llvm::DIBuilder& builder, const Module& module) : builder_(builder), module_(module) {}

  llvm::DIType* typeOf(const Type* type, const DebugLayout& layout);
  // With a name of the author's for each member; empty where it has none.
  std::string memberName(const Type* structure, uint32_t index) const;
  // From a structure's start.
  static uint64_t offsetOf(const Type* structure, uint32_t index, const DebugLayout& layout);
  static DebugLayout memberLayout(const Type* structure, uint32_t index, DebugLayout layout);
  // A named number, for what the driver shows of its own.
  llvm::DIType* number(const std::string& name, uint32_t bits, unsigned encoding);
  // `count` of them side by side; of an unknown number where it is 0, unless `elements` is it.
  llvm::DIType* array(llvm::DIType* element, uint64_t count, uint64_t stride,
                      llvm::DIVariable* elements = nullptr);
  struct Field {
    std::string name;
    llvm::DIType* type;
    uint64_t offset;
  };
  llvm::DIType* structure(const std::string& name, llvm::ArrayRef<Field> fields, uint64_t bytes);

 private:
  llvm::DIType* make(const Type* type, const DebugLayout& layout);
  llvm::DIType* vector(const Type* type, const DebugLayout& layout);
  llvm::DIType* members(const Type* type, const DebugLayout& layout);
  llvm::DIType* scalar(const Type* type, const DebugLayout& layout);
  llvm::DIType* cooperativeMatrix(const Type* type);
  llvm::DIType* pointer(const Type* type);
  llvm::DIType* padded(llvm::DIType* element, uint64_t bytes);

  llvm::DIBuilder& builder_;
  const Module& module_;
  using Layout = decltype(DebugLayout().key());
  std::map<std::pair<const Type*, Layout>, llvm::DIType*> types_;
};

}  // namespace jit::spirv
