// SPDX-License-Identifier: Apache-2.0

// The pieces that the directives of kernel files are made of: constants, types, buffers, ranges and
// lists of values. tests/kernels/README.md describes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "tests/support/kernel_file.h"
#include "tests/support/lexer.h"

namespace kernels {

// Each method takes its piece from the lexer, or throws FormatError.
class KernelGrammar {
 protected:
  // An expression without buffers.
  Value constant(Lexer& lexer);
  uint64_t unsignedConstant(Lexer& lexer, uint64_t limit = uint64_t{1} << 40);
  uint32_t word(Lexer& lexer);
  ElementType type(Lexer& lexer);
  // Whether a type follows that is no call of the function of its name.
  static bool startsType(const Lexer& lexer);
  size_t bufferIndex(Lexer& lexer);
  // NAME or NAME.TYPE: all elements of the buffer.
  Elements bufferView(Lexer& lexer);
  // [FIRST..END step STEP], [INDEX] or nothing: narrows `elements`.
  void range(Lexer& lexer, Elements& elements);
  // EXPRESSION over the elements, or { [TYPE] EXPRESSION | pad BYTES, ... } from the first on.
  std::vector<Elements> values(Lexer& lexer, const Elements& elements);
  // [within AMOUNT [abs|rel|ulp] [or ...]]
  Tolerance tolerance(Lexer& lexer);
  // NAME[.TYPE](ROWS, COLUMNS [row|column] [stride S] [offset O])
  MatrixView matrixView(Lexer& lexer);
  // M N K and the types of A, B, C and the result [saturating] [invocations N]
  MatrixRequirement matrixRequirement(Lexer& lexer);
  // ROWS COLUMNS USE TYPE [invocations N]
  MatrixTypeRequirement matrixTypeRequirement(Lexer& lexer);
  // BUFFER [set S] [binding B] [element E] [uniform] [at BYTES] [range BYTES]
  ExtraDescriptor extraDescriptor(Lexer& lexer);
  // Whether `file "NAME"` follows, which lies beside the kernel file.
  static bool isFile(const Lexer& lexer);
  std::filesystem::path fileName(Lexer& lexer);
  // Of a file with so many bytes of elements; 0: any.
  std::vector<std::byte> fileContents(Lexer& lexer, ElementType type, uint64_t bytes);

  uint32_t holders(Lexer& lexer);

  Kernel kernel_;  // what has been read so far
  ExpressionNames names_;
};

}  // namespace kernels
