// SPDX-License-Identifier: Apache-2.0

#include "tests/support/kernel_file.h"

#include <algorithm>
#include <map>

#include "tests/support/finding.h"
#include "tests/support/kernel_grammar.h"
#include "tests/support/lexer.h"
#include "tests/support/message_pattern.h"

namespace kernels {
namespace {

uint32_t makeVersion(uint64_t major, uint64_t minor) {
  return static_cast<uint32_t>(major << 22 | minor << 12);
}

// Reads the directives in order; the ones that describe a dispatch change `next_`, which a dispatch
// line copies.
class KernelParser : private KernelGrammar {
 public:
  KernelParser(KernelSource source, Aim aim) : aim_(aim) { kernel_.source = std::move(source); }

  Kernel parse() {
    for (const Directive& directive : kernel_.source.directives) {
      line_ = directive.line;
      Lexer lexer(directive.text, kernel_.source.path.string() + ":" + std::to_string(line_));
      const Token word = lexer.peek();
      const auto handler = handlers().find(lexer.expectName("a directive"));
      if (handler == handlers().end()) lexer.fail("no directive '" + word.text + "'");
      (this->*handler->second)(lexer);
      lexer.expectEnd();
    }
    const std::string file = kernel_.source.path.string();
    if (kernel_.dispatches.empty()) {
      if (!kernel_.refusal) throw FormatError(file + ": no dispatch, and no refusal either");
      kernel_.dispatches.push_back(next_);
    }
    if (kernel_.source.language == Language::Directives && kernel_.module.empty())
      throw FormatError(file + ": no shader; the directive 'module \"FILE\"' names one");
    if (aim_ == Aim::Test && expectsNothing(kernel_))
      throw FormatError(file + ": nothing is expected");
    return std::move(kernel_);
  }

 private:
  using Handler = void (KernelParser::*)(Lexer&);
  static const std::map<std::string, Handler, std::less<>>& handlers() {
    static const std::map<std::string, Handler, std::less<>> kHandlers = {
        {"require", &KernelParser::parseRequire},   {"define", &KernelParser::parseDefine},
        {"optimize", &KernelParser::parseOptimize}, {"debug", &KernelParser::parseDebug},
        {"word", &KernelParser::parseWord},         {"words", &KernelParser::parseWords},
        {"robust", &KernelParser::parseRobust},     {"buffer", &KernelParser::parseBuffer},
        {"fill", &KernelParser::parseFill},         {"entry", &KernelParser::parseEntry},
        {"spec", &KernelParser::parseSpec},         {"push", &KernelParser::parsePush},
        {"subgroup", &KernelParser::parseSubgroup}, {"dispatch", &KernelParser::parseDispatch},
        {"expect", &KernelParser::parseExpect},     {"matmul", &KernelParser::parseMatmul},
        {"check", &KernelParser::parseCheck},       {"refuse", &KernelParser::parseRefuse},
        {"prints", &KernelParser::parsePrints},     {"tolerated", &KernelParser::parseTolerated},
        {"setting", &KernelParser::parseSetting},   {"remarks", &KernelParser::parseRemarks},
        {"peer", &KernelParser::parsePeer},         {"finding", &KernelParser::parseFinding},
        {"module", &KernelParser::parseModule},     {"bind", &KernelParser::parseBind},
        {"order", &KernelParser::parseOrder}};
    return kHandlers;
  }

  void parseRequire(Lexer& lexer) {
    Requirements& requirements = kernel_.requirements;
    do {
      const std::string name = lexer.expectName("a feature or an extension");
      if (name == "vulkan") {
        // "1.3" is one number to the lexer; its text tells 1.1 from 1.10.
        const std::string version = lexer.next().text;
        const size_t point = version.find('.');
        if (point == std::string::npos) lexer.fail("expected a version such as 1.3");
        requirements.api_version = makeVersion(std::stoul(version.substr(0, point)),
                                               std::stoul(version.substr(point + 1)));
      } else if (name == "shared") {
        requirements.shared_bytes = word(lexer);
      } else if (name == "subgroup_size") {
        const uint32_t low = word(lexer);
        const uint32_t high = lexer.accept("..") ? word(lexer) : low;
        requirements.subgroup_size = {low, high};
      } else if (name == "subgroup") {
        requirements.subgroup_operations.push_back(lexer.expectName("a kind of operation"));
      } else if (name == "matrix") {
        requirements.matrices.push_back(matrixRequirement(lexer));
      } else if (name == "matrix_type") {
        requirements.matrix_types.push_back(matrixTypeRequirement(lexer));
      } else {
        requirements.names.push_back(name);
      }
    } while (!lexer.atEnd());
  }

  void parseDefine(Lexer& lexer) {
    const std::string name = lexer.expectName("a macro's name");
    std::string value;
    if (lexer.accept("=")) {
      while (!lexer.atEnd()) value += (value.empty() ? "" : " ") + lexer.next().text;
    }
    kernel_.compile.defines.emplace_back(name, value);
  }
  void parseOptimize(Lexer& lexer) {
    kernel_.compile.optimize = !lexer.accept("off");
    if (kernel_.compile.optimize) lexer.accept("on");
  }
  void parseDebug(Lexer& lexer) {
    (lexer.accept("lines") ? kernel_.compile.debug_lines : kernel_.compile.debug_info) = true;
  }
  void parseRobust(Lexer& lexer) {
    (lexer.accept("pipeline") ? kernel_.robust_pipelines : kernel_.robust) = true;
  }
  void parseSetting(Lexer& lexer) {
    const std::string name = lexer.expectName("the name of a setting");
    if (lexer.atEnd()) lexer.fail("expected a value");
    std::string value;  // "same-value" is several to the lexer
    while (!lexer.atEnd()) value += lexer.next().text;
    kernel_.settings.emplace_back(name, value);
  }
  void parseModule(Lexer& lexer) {
    if (kernel_.source.language != Language::Directives)
      lexer.fail("the file itself is the shader; .kernel files name another");
    kernel_.module = fileName(lexer);
  }
  void parseTolerated(Lexer&) { kernel_.compile.validate = false; }
  void parseWord(Lexer& lexer) {
    const uint32_t index = word(lexer);
    lexer.expect("=");
    kernel_.compile.patched_words.emplace_back(index, word(lexer));
  }
  void parseWords(Lexer& lexer) { kernel_.compile.truncated_words = word(lexer); }

  void parseBuffer(Lexer& lexer) {
    Buffer buffer;
    buffer.name = lexer.expectName("a buffer's name");
    if (names_.buffers.contains(buffer.name)) lexer.fail("two buffers of one name");
    buffer.type = type(lexer);
    lexer.expect("[");
    const bool is_as_file = lexer.accept("]");
    if (!is_as_file) {
      buffer.bytes = unsignedConstant(lexer) * elementInfo(buffer.type).bytes();
      lexer.expect("]");
      if (buffer.bytes == 0) lexer.fail("empty buffer");
    }
    while (lexer.peek().kind == TokenKind::Name) {
      const std::string option = lexer.next().text;
      if (option == "binding") {
        buffer.binding = word(lexer);
      } else if (option == "set") {
        buffer.set = word(lexer);
      } else if (option == "element") {
        buffer.array_element = word(lexer);
      } else if (option == "uniform") {
        buffer.uniform = true;
      } else if (option == "inline") {
        buffer.inline_block = true;
      } else if (option == "null") {
        buffer.null = true;
      } else if (option == "scratch") {
        buffer.scratch = true;
      } else if (option == "unwritten") {
        buffer.unwritten = true;
      } else if (option == "at") {
        buffer.descriptor_offset = unsignedConstant(lexer);
      } else if (option == "range") {
        buffer.descriptor_range = unsignedConstant(lexer);
      } else if (option == "dynamic") {
        buffer.dynamic_offset = word(lexer);
      } else if (option == "address") {
        buffer.address = unsignedConstant(lexer, uint64_t{1} << 56);
      } else {
        lexer.fail("no option '" + option + "' of a buffer");
      }
    }
    const size_t index = kernel_.buffers.size();
    names_.buffers[buffer.name] = {index, buffer.type};
    if (buffer.unwritten && !buffer.scratch) lexer.fail("unwritten, but no scratch");
    const bool has_values = lexer.accept("=");
    if (has_values && buffer.unwritten) lexer.fail("unwritten, but with a value");
    const bool is_file = has_values && isFile(lexer);
    if (is_as_file && !is_file) lexer.fail("no number of elements, and no file that has them");
    if (is_file) {
      buffer.contents = fileContents(lexer, buffer.type, buffer.bytes);
      buffer.bytes = buffer.contents.size();
    }
    kernel_.buffers.push_back(buffer);
    if (!has_values || is_file) return;
    Elements all;
    all.buffer = index;
    all.type = buffer.type;
    all.byte_step = elementInfo(buffer.type).bytes();
    all.count = buffer.bytes / all.byte_step;
    kernel_.buffers[index].initial = values(lexer, all);
  }

  void parseFill(Lexer& lexer) {
    Elements elements = bufferView(lexer);
    range(lexer, elements);
    lexer.expect("=");
    std::vector<Elements>& initial = kernel_.buffers[elements.buffer].initial;
    for (Elements& item : values(lexer, elements)) initial.push_back(std::move(item));
  }

  void parseBind(Lexer& lexer) { kernel_.extra_descriptors.push_back(extraDescriptor(lexer)); }

  void parseEntry(Lexer& lexer) {
    next_.entry_point = lexer.peek().kind == TokenKind::String
                            ? lexer.expectString("an entry point")
                            : lexer.expectName("an entry point");
  }

  void parseSpec(Lexer& lexer) {
    const uint32_t id = word(lexer);
    lexer.expect("=");
    const ElementType element = type(lexer);
    SpecializationValue value{id, element, constant(lexer)};
    std::erase_if(next_.specializations, [&](const auto& other) { return other.id == id; });
    next_.specializations.push_back(value);
  }

  void parsePush(Lexer& lexer) {
    next_.push.clear();
    uint64_t offset = 0;
    do {
      if (lexer.accept("pad")) {
        offset += unsignedConstant(lexer);
        continue;
      }
      const ElementType element = type(lexer);
      const uint64_t size = elementInfo(element).bytes();
      offset = (offset + size - 1) / size * size;
      next_.push.push_back({offset, element, parseExpression(lexer, names_)});
      offset += size;
    } while (lexer.accept(","));
    next_.push_bytes = static_cast<uint32_t>((offset + 3) / 4 * 4);
  }

  void parseSubgroup(Lexer& lexer) {
    next_.subgroup_size = word(lexer);
    next_.full_subgroups = lexer.accept("full");
  }

  void parseDispatch(Lexer& lexer) {
    Dispatch dispatch = next_;
    dispatch.line = line_;
    auto triple = [&](std::array<uint32_t, 3>& numbers) {
      for (uint32_t& number : numbers) {
        if (lexer.peek().kind != TokenKind::Number && lexer.peek().text != "(") break;
        number = word(lexer);
      }
    };
    if (lexer.accept("indirect")) {
      const size_t buffer = bufferIndex(lexer);
      dispatch.indirect = {buffer, lexer.atEnd() ? 0 : unsignedConstant(lexer)};
    } else {
      triple(dispatch.groups);
      if (lexer.accept("base")) triple(dispatch.base);
    }
    dispatch.unordered = lexer.accept("unordered");
    kernel_.dispatches.push_back(std::move(dispatch));
  }

  void parsePeer(Lexer& lexer) { kernel_.peer = tolerance(lexer); }

  void parseExpect(Lexer& lexer) {
    Expectation expectation;
    expectation.line = line_;
    Elements elements = bufferView(lexer);
    range(lexer, elements);
    lexer.expect("=");
    if (isFile(lexer)) {
      expectation.contents =
          fileContents(lexer, elements.type, elements.count * elementInfo(elements.type).bytes());
      expectation.elements = {elements};
    } else {
      expectation.elements = values(lexer, elements);
    }
    expectation.tolerance = tolerance(lexer);
    kernel_.expectations.push_back(std::move(expectation));
  }

  void parseMatmul(Lexer& lexer) {
    MatmulExpectation matmul;
    matmul.line = line_;
    matmul.result = matrixView(lexer);
    lexer.expect("=");
    matmul.a = matrixView(lexer);
    lexer.expect("*");
    matmul.b = matrixView(lexer);
    if (lexer.accept("+")) matmul.c = matrixView(lexer);
    matmul.accumulator = matmul.result.type;
    while (!lexer.atEnd()) {
      if (lexer.accept("steps")) {
        matmul.steps = word(lexer);
      } else if (lexer.accept("accumulator")) {
        matmul.accumulator = type(lexer);
      } else if (lexer.accept("saturating")) {
        matmul.saturating = true;
      } else {
        lexer.fail("expected 'steps', 'accumulator' or 'saturating'");
      }
    }
    const bool shapes = matmul.a.columns == matmul.b.rows && matmul.a.rows == matmul.result.rows &&
                        matmul.b.columns == matmul.result.columns &&
                        (!matmul.c || (matmul.c->rows == matmul.result.rows &&
                                       matmul.c->columns == matmul.result.columns));
    if (!shapes) lexer.fail("rows and columns do not fit");
    kernel_.matmuls.push_back(std::move(matmul));
  }

  void parseCheck(Lexer& lexer) {
    Check check;
    check.line = line_;
    check.condition = parseExpression(lexer, names_);
    const auto directive =
        std::find_if(kernel_.source.directives.begin(), kernel_.source.directives.end(),
                     [&](const Directive& candidate) { return candidate.line == line_; });
    check.text = directive->text;
    kernel_.checks.push_back(std::move(check));
  }

  std::string pattern(Lexer& lexer) {
    std::string text = lexer.expectString("a regular expression");
    const std::string error = findPatternError(text);
    if (!error.empty()) lexer.fail("not a regular expression: " + error);
    return text;
  }

  void parseRefuse(Lexer& lexer) { kernel_.refusal = pattern(lexer); }

  void parsePrints(Lexer& lexer) {
    PrintExpectation expectation;
    expectation.line = line_;
    expectation.pattern = pattern(lexer);
    if (lexer.accept("times")) expectation.times = word(lexer);
    kernel_.prints.push_back(std::move(expectation));
  }

  void parseOrder(Lexer& lexer) {
    OrderExpectation expectation;
    expectation.line = line_;
    do expectation.patterns.push_back(pattern(lexer));
    while (!lexer.atEnd());
    kernel_.orders.push_back(std::move(expectation));
  }

  void parseFinding(Lexer& lexer) {
    FindingExpectation expectation;
    expectation.line = line_;
    expectation.check = lexer.expectName("a check");
    if (!host::isCheck(expectation.check)) lexer.fail("no check '" + expectation.check + "'");
    expectation.kind = lexer.expectName("a kind");
    while (lexer.accept("-")) expectation.kind += "-" + lexer.expectName("the rest of the kind");
    if (lexer.accept("times")) expectation.times = word(lexer);
    while (!lexer.atEnd()) expectation.patterns.push_back(pattern(lexer));
    kernel_.findings.push_back(std::move(expectation));
  }

  void parseRemarks(Lexer& lexer) {
    const size_t first = kernel_.remarks.size();
    do {
      RemarkExpectation& remark = kernel_.remarks.emplace_back();
      remark.line = line_;
      remark.name = lexer.expectString("the name of a remark");
      remark.most = word(lexer);
    } while (!lexer.atEnd() && !lexer.accept("except"));
    if (lexer.atEnd()) return;
    do {
      const std::string device = lexer.expectString("a part of a device's name");
      for (size_t k = first; k < kernel_.remarks.size(); ++k)
        kernel_.remarks[k].other_devices.push_back(device);
    } while (!lexer.atEnd());
  }

  const Aim aim_;
  Dispatch next_;
  uint32_t line_ = 0;
};

}  // namespace

bool expectsNothing(const Kernel& kernel) {
  return !kernel.refusal && kernel.expectations.empty() && kernel.matmuls.empty() &&
         kernel.checks.empty() && kernel.prints.empty() && kernel.findings.empty() && !kernel.peer;
}

Kernel parseKernel(KernelSource source, Aim aim) {
  return KernelParser(std::move(source), aim).parse();
}

}  // namespace kernels
