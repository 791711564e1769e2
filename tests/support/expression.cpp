// SPDX-License-Identifier: Apache-2.0

#include "tests/support/expression.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/support/expression_functions.h"

namespace kernels {
namespace {

__extension__ typedef unsigned __int128 UInt128;

struct Operator {
  std::string_view text;
  Value (*apply)(const Value& a, const Value& b);
};
// Operators of each level of precedence, loosest first.
std::span<const std::vector<Operator>> operatorLevels();

// Recursive descent; one method for each level of precedence, loosest first.
class Parser {
 public:
  Parser(Lexer& lexer, const ExpressionNames& names) : lexer_(lexer), names_(names) {}

  Expression conditional() {
    Expression condition = binary(0);
    if (!lexer_.accept("?")) return condition;
    Expression yes = conditional();
    lexer_.expect(":");
    Expression no = conditional();
    return [=](Scope& scope) { return condition(scope).isTrue() ? yes(scope) : no(scope); };
  }

 private:
  Expression binary(size_t level) {
    const auto levels = operatorLevels();
    if (level == levels.size()) return unary();
    Expression left = binary(level + 1);
    while (true) {
      const auto found = std::ranges::find_if(
          levels[level], [&](const Operator& op) { return lexer_.accept(op.text); });
      if (found == levels[level].end()) return left;
      Expression right = binary(level + 1);
      left = [apply = found->apply, left = std::move(left), right](Scope& scope) {
        const Value a = left(scope);
        return apply(a, right(scope));
      };
    }
  }

  Expression unary() {
    if (lexer_.accept("-")) {
      Expression operand = unary();
      return [=](Scope& scope) {
        const Value value = operand(scope);
        return value.is_float
                   ? Value::of(-value.real)
                   : Value::of(static_cast<Int128>(-static_cast<UInt128>(value.integer)));
      };
    }
    if (lexer_.accept("~")) {
      Expression operand = unary();
      return [=](Scope& scope) { return Value::of(~operand(scope).asInteger()); };
    }
    if (lexer_.accept("!")) {
      Expression operand = unary();
      return [=](Scope& scope) { return Value::of(Int128{!operand(scope).isTrue()}); };
    }
    return primary();
  }

  Expression primary() {
    if (lexer_.peek().kind == TokenKind::Number) {
      const Value number = lexer_.next().number;
      return [=](Scope&) { return number; };
    }
    if (lexer_.accept("(")) {
      Expression inner = conditional();
      lexer_.expect(")");
      return inner;
    }
    if (lexer_.accept("@")) return bufferElement(lexer_.expectName("a buffer's name"), true);
    if (lexer_.accept("&")) return address(lexer_.expectName("a buffer's name"));
    const std::string name = lexer_.expectName("a value");
    for (size_t slot = variables_.size(); slot-- > 0;) {
      if (variables_[slot] == name) {
        outermost_ = std::min(outermost_, slot);
        return [=](Scope& scope) { return Value::of(scope.variables[slot]); };
      }
    }
    if (name == "subgroup_size") {
      return [](Scope& scope) { return Value::of(scope.subgroup_size); };
    }
    if (name == "inf" || name == "nan" || name == "pi") {
      const double constant = name == "inf"   ? std::numeric_limits<double>::infinity()
                              : name == "nan" ? std::numeric_limits<double>::quiet_NaN()
                                              : M_PI;
      return [=](Scope&) { return Value::of(constant); };
    }
    if (lexer_.peek().text == "(") return call(name);
    return bufferElement(name, false);
  }

  const BufferName& buffer(const std::string& name) {
    const auto found = names_.buffers.find(name);
    if (found == names_.buffers.end()) {
      lexer_.fail("'" + name + "' is neither a variable nor a buffer declared above");
    }
    return found->second;
  }

  Expression address(const std::string& name) {
    const size_t index = buffer(name).index;
    return [=](Scope& scope) {
      if (scope.addresses.empty()) throw std::runtime_error("buffers have no address here");
      return Value::of(static_cast<Int128>(scope.addresses[index]));
    };
  }

  // name[index], name.type[index]
  Expression bufferElement(const std::string& name, bool after) {
    BufferName source = buffer(name);
    if (lexer_.accept(".")) {
      const std::optional<ElementType> type = findElementType(lexer_.expectName("a type"));
      if (!type) lexer_.fail("no such type");
      source.type = *type;
    }
    lexer_.expect("[");
    Expression index = conditional();
    lexer_.expect("]");
    return [=](Scope& scope) {
      const auto contents = after ? scope.after : scope.before;
      if (contents.empty()) throw std::runtime_error("@" + name + " is known only after the run");
      const std::vector<std::byte>& memory = contents[source.index];
      const Int128 at = index(scope).asInteger();
      const size_t count = memory.size() / elementInfo(source.type).bytes();
      if (at < 0 || at >= static_cast<Int128>(count)) {
        throw std::runtime_error(name + "[" + format(Value::of(at)) + "] is outside the buffer");
      }
      return loadElement(source.type, memory, static_cast<size_t>(at));
    };
  }

  Expression call(const std::string& name) {
    if (const Folding* folding = findFolding(name)) return fold(*folding);
    const Function* function = findFunction(name);
    if (!function) lexer_.fail("no function '" + name + "'");
    if (function->uses_index) outermost_ = 0;
    lexer_.expect("(");
    std::vector<Expression> arguments;
    if (!lexer_.accept(")")) {
      do {
        arguments.push_back(conditional());
      } while (lexer_.accept(","));
      lexer_.expect(")");
    }
    if (arguments.size() != function->parameters) {
      lexer_.fail(name + " takes " + std::to_string(function->parameters) + " arguments");
    }
    return [function, arguments](Scope& scope) {
      Value values[4];
      for (size_t k = 0; k < arguments.size(); ++k) values[k] = arguments[k](scope);
      return function->apply(values, scope.variables[0]);
    };
  }

  // sum(k, low, high, expression of k): over low <= k < high. One that sees no variable but its own
  // is the same for all elements of what is expected, and is kept.
  Expression fold(const Folding& folding) {
    const size_t outermost = std::exchange(outermost_, kNone);
    lexer_.expect("(");
    const std::string variable = lexer_.expectName("a variable");
    lexer_.expect(",");
    Expression low = conditional();
    lexer_.expect(",");
    Expression high = conditional();
    lexer_.expect(",");
    variables_.push_back(variable);
    Expression body = conditional();
    variables_.pop_back();
    lexer_.expect(")");
    const bool is_constant = outermost_ >= variables_.size();
    if (is_constant) outermost_ = kNone;
    outermost_ = std::min(outermost_, outermost);
    Expression all = [=, step = folding.step, start = folding.start](Scope& scope) {
      const Int128 end = high(scope).asInteger();
      Value result = start;
      const Int128 first = low(scope).asInteger();
      scope.variables.push_back(first);
      const size_t slot = scope.variables.size() - 1;
      for (Int128 k = first; k < end; ++k) {
        scope.variables[slot] = k;
        result = step(result, body(scope));
      }
      scope.variables.pop_back();
      return result;
    };
    if (!is_constant) return all;
    return [all = std::move(all), key = std::make_shared<const char>()](Scope& scope) {
      if (scope.after.empty()) return all(scope);  // buffers still change
      const auto known = scope.constants.find(key);
      return known != scope.constants.end()
                 ? known->second
                 : scope.constants.emplace(key, all(scope)).first->second;
    };
  }

  static constexpr size_t kNone = std::numeric_limits<size_t>::max();

  Lexer& lexer_;
  const ExpressionNames& names_;
  std::vector<std::string> variables_{"i", "n"};
  size_t outermost_ = kNone;  // the first of the variables that what was parsed depends on
};

Value truth(bool value) { return Value::of(Int128{value}); }

// `test` of numbers as they are, doubles as soon as one is.
template <typename Test>
Value compare(const Value& a, const Value& b, Test test) {
  return truth(a.is_float || b.is_float ? test(a.asReal(), b.asReal())
                                        : test(a.integer, b.integer));
}

Int128 shiftAmount(const Value& b) {
  const Int128 shift = b.asInteger();
  if (shift < 0 || shift > 127) throw std::runtime_error("shift by less than 0 or more than 127");
  return shift;
}

// Integers wrap.
template <typename Operation>
Value arithmetic(const Value& a, const Value& b, Operation operation) {
  if (a.is_float || b.is_float) return Value::of(operation(a.asReal(), b.asReal()));
  return Value::of(static_cast<Int128>(
      operation(static_cast<UInt128>(a.integer), static_cast<UInt128>(b.integer))));
}

Int128 divisor(const Value& b) {
  if (b.integer == 0) throw std::runtime_error("division by zero");
  return b.integer;
}

using V = const Value&;

std::span<const std::vector<Operator>> operatorLevels() {
  static const std::vector<std::vector<Operator>> kLevels = {
      {{"||", [](V a, V b) { return truth(a.isTrue() || b.isTrue()); }}},
      {{"&&", [](V a, V b) { return truth(a.isTrue() && b.isTrue()); }}},
      {{"|", [](V a, V b) { return Value::of(a.asInteger() | b.asInteger()); }}},
      {{"^", [](V a, V b) { return Value::of(a.asInteger() ^ b.asInteger()); }}},
      {{"&", [](V a, V b) { return Value::of(a.asInteger() & b.asInteger()); }}},
      {{"==", [](V a, V b) { return compare(a, b, std::equal_to()); }},
       {"!=", [](V a, V b) { return compare(a, b, std::not_equal_to()); }}},
      {{"<", [](V a, V b) { return compare(a, b, std::less()); }},
       {"<=", [](V a, V b) { return compare(a, b, std::less_equal()); }},
       {">", [](V a, V b) { return compare(a, b, std::greater()); }},
       {">=", [](V a, V b) { return compare(a, b, std::greater_equal()); }}},
      {{"<<",
        [](V a, V b) {
          const auto bits = static_cast<UInt128>(a.asInteger());
          return Value::of(static_cast<Int128>(bits << static_cast<int>(shiftAmount(b))));
        }},
       {">>",
        [](V a, V b) { return Value::of(a.asInteger() >> static_cast<int>(shiftAmount(b))); }}},
      {{"+", [](V a, V b) { return arithmetic(a, b, std::plus()); }},
       {"-", [](V a, V b) { return arithmetic(a, b, std::minus()); }}},
      {{"*", [](V a, V b) { return arithmetic(a, b, std::multiplies()); }},
       {"/",
        [](V a, V b) {
          if (a.is_float || b.is_float) return Value::of(a.asReal() / b.asReal());
          return Value::of(a.integer / divisor(b));
        }},
       {"%",
        [](V a, V b) {
          if (a.is_float || b.is_float) return Value::of(std::fmod(a.asReal(), b.asReal()));
          return Value::of(a.integer % divisor(b));
        }}},
  };
  return kLevels;
}

}  // namespace

Expression parseExpression(Lexer& lexer, const ExpressionNames& names) {
  return Parser(lexer, names).conditional();
}

}  // namespace kernels
