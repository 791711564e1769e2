// SPDX-License-Identifier: Apache-2.0

#include "tests/support/kernel_grammar.h"

#include <optional>
#include <stdexcept>
#include <string>

#include "tests/support/array_file.h"

namespace kernels {

Value KernelGrammar::constant(Lexer& lexer) {
  Scope scope;
  scope.variables = {0, 0};
  try {
    return parseExpression(lexer, ExpressionNames{})(scope);
  } catch (const FormatError&) {
    throw;
  } catch (const std::runtime_error& error) {
    lexer.fail(error.what());
  }
}

uint64_t KernelGrammar::unsignedConstant(Lexer& lexer, uint64_t limit) {
  const Int128 value = constant(lexer).asInteger();
  if (value < 0 || value > static_cast<Int128>(limit)) lexer.fail("number out of range");
  return static_cast<uint64_t>(value);
}
uint32_t KernelGrammar::word(Lexer& lexer) {
  return static_cast<uint32_t>(unsignedConstant(lexer, ~0u));
}

ElementType KernelGrammar::type(Lexer& lexer) {
  const std::string name = lexer.expectName("a type");
  const std::optional<ElementType> type = findElementType(name);
  if (!type) lexer.fail("no type '" + name + "'");
  return *type;
}

bool KernelGrammar::startsType(const Lexer& lexer) {
  return lexer.peek().kind == TokenKind::Name && findElementType(lexer.peek().text) &&
         lexer.peek(1).text != "(";
}

size_t KernelGrammar::bufferIndex(Lexer& lexer) {
  const std::string name = lexer.expectName("a buffer's name");
  const auto found = names_.buffers.find(name);
  if (found == names_.buffers.end()) lexer.fail("no buffer '" + name + "' above");
  return found->second.index;
}

Elements KernelGrammar::bufferView(Lexer& lexer) {
  Elements elements;
  elements.buffer = bufferIndex(lexer);
  const Buffer& buffer = kernel_.buffers[elements.buffer];
  elements.type = lexer.accept(".") ? type(lexer) : buffer.type;
  elements.byte_step = elementInfo(elements.type).bytes();
  elements.count = buffer.bytes / elements.byte_step;
  return elements;
}

void KernelGrammar::range(Lexer& lexer, Elements& elements) {
  if (!lexer.accept("[")) return;
  const uint64_t all = elements.count, size = elements.byte_step;
  const uint64_t first = unsignedConstant(lexer);
  uint64_t end = first + 1, step = 1;
  if (lexer.accept("..")) {
    end = lexer.peek().text == "]" || lexer.peek().text == "step" ? all : unsignedConstant(lexer);
    if (lexer.accept("step")) step = unsignedConstant(lexer);
  }
  lexer.expect("]");
  if (first >= end || end > all || step == 0) {
    lexer.fail("range outside the buffer's " + std::to_string(all) + " elements");
  }
  elements.byte_offset = first * size;
  elements.byte_step = step * size;
  elements.count = (end - first + step - 1) / step;
  elements.first_index = static_cast<Int128>(first);
  elements.index_step = static_cast<Int128>(step);
}

std::vector<Elements> KernelGrammar::values(Lexer& lexer, const Elements& elements) {
  if (!lexer.accept("{")) {
    Elements all = elements;
    all.value = parseExpression(lexer, names_);
    return {all};
  }
  std::vector<Elements> items;
  uint64_t offset = elements.byte_offset, index = 0;
  while (true) {
    if (lexer.accept("pad")) {
      offset += unsignedConstant(lexer);
    } else {
      Elements item = elements;
      const bool typed = startsType(lexer);
      if (typed) item.type = type(lexer);
      item.byte_offset = offset;
      item.count = 1;
      item.first_index = elements.first_index + elements.index_step * static_cast<Int128>(index++);
      item.value = parseExpression(lexer, names_);
      offset += typed ? elementInfo(item.type).bytes() : elements.byte_step;
      if (item.byte_offset + elementInfo(item.type).bytes() >
          kernel_.buffers[elements.buffer].bytes) {
        lexer.fail("more values than the buffer holds");
      }
      items.push_back(std::move(item));
    }
    if (lexer.accept("}")) return items;
    lexer.expect(",");
  }
}

Tolerance KernelGrammar::tolerance(Lexer& lexer) {
  Tolerance tolerance;
  if (!lexer.accept("within")) return tolerance;
  do {
    const double amount = constant(lexer).asReal();
    if (lexer.accept("ulp")) {
      tolerance.ulp = amount;
    } else if (lexer.accept("rel")) {
      tolerance.relative = amount;
    } else {
      lexer.accept("abs");
      tolerance.absolute = amount;
    }
  } while (lexer.accept("or"));
  return tolerance;
}

MatrixView KernelGrammar::matrixView(Lexer& lexer) {
  const Elements elements = bufferView(lexer);
  MatrixView view;
  view.buffer = elements.buffer;
  view.type = elements.type;
  lexer.expect("(");
  view.rows = word(lexer);
  lexer.expect(",");
  view.columns = word(lexer);
  view.column_major = !lexer.accept("row") && lexer.accept("column");
  view.stride = view.column_major ? view.rows : view.columns;
  if (lexer.accept("stride")) view.stride = unsignedConstant(lexer);
  if (lexer.accept("offset")) view.offset = unsignedConstant(lexer);
  lexer.expect(")");
  const uint64_t major = view.column_major ? view.columns : view.rows;
  const uint64_t minor = view.column_major ? view.rows : view.columns;
  if (major == 0 || minor == 0 ||
      view.offset + (major - 1) * view.stride + minor > elements.count) {
    lexer.fail("matrix outside the buffer");
  }
  return view;
}

uint32_t KernelGrammar::holders(Lexer& lexer) {
  return lexer.accept("invocations") ? word(lexer) : 0;
}

MatrixRequirement KernelGrammar::matrixRequirement(Lexer& lexer) {
  MatrixRequirement matrix{};
  matrix.m = word(lexer), matrix.n = word(lexer), matrix.k = word(lexer);
  matrix.a = type(lexer), matrix.b = type(lexer);
  matrix.c = type(lexer), matrix.result = type(lexer);
  matrix.saturating = lexer.accept("saturating");
  matrix.invocations = holders(lexer);
  return matrix;
}

MatrixTypeRequirement KernelGrammar::matrixTypeRequirement(Lexer& lexer) {
  MatrixTypeRequirement matrix{};
  matrix.rows = word(lexer), matrix.columns = word(lexer);
  if (lexer.accept("A")) {
    matrix.use = MatrixUse::A;
  } else if (lexer.accept("B")) {
    matrix.use = MatrixUse::B;
  } else if (lexer.accept("Accumulator")) {
    matrix.use = MatrixUse::Accumulator;
  } else {
    lexer.fail("expected 'A', 'B' or 'Accumulator'");
  }
  matrix.type = type(lexer);
  matrix.invocations = holders(lexer);
  return matrix;
}

bool KernelGrammar::isFile(const Lexer& lexer) {
  return lexer.peek().text == "file" && lexer.peek(1).kind == TokenKind::String;
}

std::filesystem::path KernelGrammar::fileName(Lexer& lexer) {
  return kernel_.source.path.parent_path() / lexer.expectString("a file's name");
}

std::vector<std::byte> KernelGrammar::fileContents(Lexer& lexer, ElementType type, uint64_t bytes) {
  lexer.expect("file");
  const std::filesystem::path path = fileName(lexer);
  std::vector<std::byte> contents = readArray(path, type);
  if (contents.empty()) throw std::runtime_error(path.string() + ": has no elements");
  const uint64_t each = elementInfo(type).bytes();
  if (bytes != 0 && contents.size() != bytes)
    throw std::runtime_error(path.string() + ": has " + std::to_string(contents.size() / each) +
                             " elements of " + elementInfo(type).name + ", not " +
                             std::to_string(bytes / each));
  return contents;
}

ExtraDescriptor KernelGrammar::extraDescriptor(Lexer& lexer) {
  ExtraDescriptor extra{.buffer = bufferIndex(lexer)};
  while (!lexer.atEnd()) {
    if (lexer.accept("uniform")) {
      extra.uniform = true;
    } else if (lexer.accept("set")) {
      extra.set = word(lexer);
    } else if (lexer.accept("binding")) {
      extra.binding = word(lexer);
    } else if (lexer.accept("element")) {
      extra.array_element = word(lexer);
    } else if (lexer.accept("at")) {
      extra.offset = unsignedConstant(lexer);
    } else if (lexer.accept("range")) {
      extra.range = unsignedConstant(lexer);
    } else {
      lexer.fail("expected 'set', 'binding', 'element', 'uniform', 'at' or 'range'");
    }
  }
  return extra;
}

}  // namespace kernels
