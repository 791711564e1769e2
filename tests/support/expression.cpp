// SPDX-License-Identifier: Apache-2.0

#include "tests/support/expression.h"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "tests/support/expression_functions.h"

namespace kernels {
namespace {

__extension__ typedef unsigned __int128 UInt128;

Value arithmetic(std::string_view op, const Value& a, const Value& b);

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
    static const std::vector<std::vector<std::string_view>> kLevels = {{"||"},
                                                                       {"&&"},
                                                                       {"|"},
                                                                       {"^"},
                                                                       {"&"},
                                                                       {"==", "!="},
                                                                       {"<", "<=", ">", ">="},
                                                                       {"<<", ">>"},
                                                                       {"+", "-"},
                                                                       {"*", "/", "%"}};
    if (level == kLevels.size()) return unary();
    Expression left = binary(level + 1);
    while (true) {
      std::string_view op;
      for (std::string_view candidate : kLevels[level]) {
        if (lexer_.accept(candidate)) {
          op = candidate;
          break;
        }
      }
      if (op.empty()) return left;
      Expression right = binary(level + 1);
      left = [=, left = std::move(left)](Scope& scope) {
        return arithmetic(op, left(scope), right(scope));
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

  // sum(k, low, high, expression of k): over low <= k < high.
  Expression fold(const Folding& folding) {
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
    return [=, step = folding.step, start = folding.start](Scope& scope) {
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
  }

  Lexer& lexer_;
  const ExpressionNames& names_;
  std::vector<std::string> variables_{"i", "n"};
};

Value compare(std::string_view op, const Value& a, const Value& b) {
  bool less, equal;
  if (a.is_float || b.is_float) {
    less = a.asReal() < b.asReal();
    equal = a.asReal() == b.asReal();
    if (std::isnan(a.asReal()) || std::isnan(b.asReal())) return Value::of(Int128{op == "!="});
  } else {
    less = a.integer < b.integer;
    equal = a.integer == b.integer;
  }
  const bool result = op == "<"    ? less
                      : op == "<=" ? less || equal
                      : op == ">"  ? !less && !equal
                      : op == ">=" ? !less
                      : op == "==" ? equal
                                   : !equal;
  return Value::of(Int128{result});
}

Value arithmetic(std::string_view op, const Value& a, const Value& b) {
  const char first = op[0];
  if (op == "&&") return Value::of(Int128{a.isTrue() && b.isTrue()});
  if (op == "||") return Value::of(Int128{a.isTrue() || b.isTrue()});
  if (op == "<<" || op == ">>") {
    const Int128 value = a.asInteger(), shift = b.asInteger();
    if (shift < 0 || shift > 127) throw std::runtime_error("shift by less than 0 or more than 127");
    return Value::of(
        first == '<' ? static_cast<Int128>(static_cast<UInt128>(value) << static_cast<int>(shift))
                     : value >> static_cast<int>(shift));
  }
  if (first == '<' || first == '>' || first == '=' || first == '!') return compare(op, a, b);
  if (first == '&') return Value::of(a.asInteger() & b.asInteger());
  if (first == '|') return Value::of(a.asInteger() | b.asInteger());
  if (first == '^') return Value::of(a.asInteger() ^ b.asInteger());
  if (a.is_float || b.is_float) {
    const double x = a.asReal(), y = b.asReal();
    switch (first) {
      case '+':
        return Value::of(x + y);
      case '-':
        return Value::of(x - y);
      case '*':
        return Value::of(x * y);
      case '/':
        return Value::of(x / y);
      default:
        return Value::of(std::fmod(x, y));
    }
  }
  const UInt128 x = static_cast<UInt128>(a.integer), y = static_cast<UInt128>(b.integer);
  switch (first) {
    case '+':
      return Value::of(static_cast<Int128>(x + y));
    case '-':
      return Value::of(static_cast<Int128>(x - y));
    case '*':
      return Value::of(static_cast<Int128>(x * y));
    default:
      break;
  }
  if (b.integer == 0) throw std::runtime_error("division by zero");
  return Value::of(first == '/' ? a.integer / b.integer : a.integer % b.integer);
}

}  // namespace

Expression parseExpression(Lexer& lexer, const ExpressionNames& names) {
  return Parser(lexer, names).conditional();
}

}  // namespace kernels
