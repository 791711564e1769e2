// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/vector_data.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DerivedTypes.h>

namespace jit {

// An array, because a vector would be aligned to its size, which may be more than a page; of bytes,
// if the elements are bits.
llvm::GlobalVariable* makeVectorData(llvm::Module& module, const llvm::Constant& vector) {
  auto* type = llvm::cast<llvm::FixedVectorType>(vector.getType());
  const unsigned count = type->getNumElements();
  llvm::Constant* contents = nullptr;
  if (type->getScalarSizeInBits() == 1) {
    llvm::SmallVector<uint8_t> bytes((count + 7) / 8);
    for (unsigned i = 0; i < count; ++i)
      bytes[i / 8] |= vector.getAggregateElement(i)->isOneValue() << i % 8;
    contents = llvm::ConstantDataArray::get(type->getContext(), bytes);
  } else {
    llvm::SmallVector<llvm::Constant*> elements;
    for (unsigned i = 0; i < count; ++i) elements.push_back(vector.getAggregateElement(i));
    contents =
        llvm::ConstantArray::get(llvm::ArrayType::get(type->getElementType(), count), elements);
  }
  auto* data =
      new llvm::GlobalVariable(module, contents->getType(), true, llvm::GlobalValue::PrivateLinkage,
                               contents, "tessera.vector");
  data->setAlignment(llvm::Align(64));
  return data;
}

llvm::GlobalVariable* findConstantData(llvm::Module& module, const llvm::Constant& contents,
                                       llvm::Align alignment) {
  auto found = llvm::find_if(module.globals(), [&](const llvm::GlobalVariable& data) {
    return data.isConstant() && data.hasLocalLinkage() && data.hasInitializer() &&
           data.getInitializer() == &contents && data.getAlign().valueOrOne() >= alignment;
  });
  return found == module.global_end() ? nullptr : &*found;
}

}  // namespace jit
