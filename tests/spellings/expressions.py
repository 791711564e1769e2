# SPDX-License-Identifier: Apache-2.0
"""Whole numbers as kernel files and as GLSL write them, the latter in one of many equal spellings.

A `Node` is an expression of numbers that are never negative, with the least and the greatest that it
takes. `Node.model()` is what the kernel file expects, in numbers without bounds; `Speller.spell()`
is GLSL that has the same value, by rules that hold for every number: wrap-around, a shift for a
quotient, a detour through another type, a local variable, a function, numbers near 2^31 and 2^32.
"""

from dataclasses import dataclass

TYPES_32 = ("uint", "int")
TYPES_64 = ("uint64_t", "int64_t")
TYPES = TYPES_32 + TYPES_64
LITERAL = {"uint": "{}u", "int": "{}", "uint64_t": "{}ul", "int64_t": "{}l"}
SIGNED = {"int", "int64_t"}


def literal(value, name):
    bits = 64 if name in TYPES_64 else 32
    value &= (1 << bits) - 1
    if name in SIGNED and value >= 1 << (bits - 1):
        value -= 1 << bits
        # The least number has no literal of its own.
        if value == -(1 << (bits - 1)):
            return f"({LITERAL[name].format(value + 1)} - 1)"
    text = LITERAL[name].format(value)
    return f"({text})" if value < 0 else text


@dataclass(frozen=True)
class Node:
    op: str  # "+ - * / % min max ^", "var", "const", or "look" for what a buffer has there
    args: tuple  # nodes; the name of a variable, or a number
    low: int
    high: int
    step: int = 1  # every value is a multiple of it

    def model(self):
        if self.op in ("var", "const"):
            return str(self.args[0])
        if self.op == "look":
            return f"looked[{self.args[0].model()}]"
        left, right = (a.model() for a in self.args)
        return f"{self.op}({left}, {right})" if self.op in ("min", "max") else f"({left} {self.op} {right})"

    def uses(self, name):
        if self.op in ("var", "const"):
            return self.args[0] == name
        return any(a.uses(name) for a in self.args)

    def __add__(self, other):
        other = node(other)
        return Node("+", (self, other), self.low + other.low, self.high + other.high, common(self.step, other.step))

    def __sub__(self, other):
        """Of which the caller knows that it is not negative."""
        other = node(other)
        return Node("-", (self, other), max(0, self.low - other.high), self.high - other.low,
                    common(self.step, other.step))

    def __mul__(self, other):
        return Node("*", (self, node(other)), self.low * other, self.high * other, self.step * other or 1)

    def __floordiv__(self, other):
        step = self.step // other if self.step % other == 0 else 1
        return Node("/", (self, node(other)), self.low // other, self.high // other, step)

    def __mod__(self, other):
        step = other if self.step % other == 0 else common(self.step, other)
        return Node("%", (self, node(other)), 0, min(self.high, other - 1), step)

    def __xor__(self, other):
        bits = (self.high | other).bit_length()
        return Node("^", (self, node(other)), 0, (1 << bits) - 1)

    def clamped(self, low, high):
        least = Node("max", (self, node(low)), max(self.low, low), max(self.high, low))
        return Node("min", (least, node(high)), min(least.low, high), min(least.high, high))


LOOKED = 64  # numbers below it are looked up


def looked(at):
    return Node("look", (at,), 0, LOOKED - 1)


def common(a, b):
    """The greatest power of two that divides both."""
    return (a | b) & -(a | b) or 1


def node(value):
    return value if isinstance(value, Node) else Node("const", (value,), value, value, value or 1 << 20)


def variable(name, low, high):
    return Node("var", (name,), low, high)


class Speller:
    """Spells expressions into the statements of a shader.

    `names` says for each variable the GLSL that has its value and the type of that. New constants come into
    `pushed`, the words of the push constants, and functions into `functions`.
    """

    def __init__(self, random, noise):
        self.random = random
        self.noise = noise  # how likely a detour is at each node
        self.names = {}
        self.pushed = []
        self.functions = []
        self.statements = []  # of the block that is being written
        self.locals = 0
        self.looked = 0  # elements of the buffer of numbers that are looked up
        self.chooses = False  # where invocations differ; two expectations do not join

    def chance(self, likely):
        return self.random.random() < likely

    def spell(self, n, name):
        """`n` as GLSL of the type `name`."""
        if self.chance(self.noise):
            return self.detour(n, name)
        return self.plain(n, name)

    def local(self, text, name):
        self.locals += 1
        self.statements.append(f"{'const ' if self.chance(0.7) else ''}{name} v{self.locals} = {text};")
        return f"v{self.locals}"

    def function(self, text, name):
        called = f"f{len(self.functions)}"
        self.functions.append(f"{name} {called}({name} x) {{ return {text}; }}")
        return called

    def detour(self, n, name):
        random = self.random
        text = self.plain(n, name)
        kind = random.choice(("type", "local", "local", "offset", "invert", "function", "limit", "mask", "choice"))
        if kind == "type":
            other = random.choice(TYPES)
            return f"{name}({self.plain(n, other)})"
        if kind == "local":
            return self.local(text, name)
        if kind == "offset":
            by = literal(random.choice((1, 5, 0x7FFFFFF0, 0x80000000, 0xFFFFFFFF, random.randrange(1 << 32))), name)
            return f"(({text} + {by}) - {by})"
        if kind == "invert":
            return f"(~(~{text}))"
        if kind == "function":
            return f"{self.function('x', name)}({text})"
        if kind == "limit":
            return f"min({text}, {literal(n.high + random.randrange(100), name)})"
        if kind == "mask":
            return f"({text} & {literal((1 << n.high.bit_length()) - 1, name)})"
        # Two ways to the same number, chosen by one that all invocations have.
        self.chooses |= n.uses("i")
        return f"({self.push(self.random.randrange(2))} != 0u ? {text} : {self.plain(n, name)})"

    def plain(self, n, name):
        if n.op == "var":
            text, own = self.names[n.args[0]]
            return text if own == name else f"{name}({text})"
        if n.op == "const":
            return self.constant(n.args[0], name)
        if n.op == "look":
            self.looked = max(self.looked, n.args[0].high + 1)
            return f"{name}(looked[{self.spell(n.args[0], self.random.choice(TYPES_32))}])"
        left, right = n.args
        constant = right.args[0] if right.op == "const" else None
        spelled = getattr(self, {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "remain",
                                 "min": "extreme", "max": "extreme", "^": "differ"}[n.op])
        return spelled(n, left, right, constant, name)

    def constant(self, value, name):
        if value < 1 << 31 and self.chance(0.2):
            text = self.push(value)
            return text if name == "uint" else f"{name}({text})"
        return self.known(value, name)

    def push(self, value):
        self.pushed.append(value)
        return f"pushed{len(self.pushed) - 1}"

    def known(self, value, name):
        """A constant that is one in the shader."""
        if value > 0 and self.chance(0.1):
            return f"({literal(value - 1, name)} + {literal(1, name)})"
        return literal(value, name)

    def add(self, n, left, right, constant, name):
        a, b = self.spell(left, name), self.spell(right, name)
        if self.chance(0.4):
            a, b, left, right = b, a, right, left
        ways = [f"({a} + {b})"] * 4 + [f"({a} - (-{b}))"]
        if name not in SIGNED:
            ways[-1] = f"({a} - (0u - {b}))"
        for low, high in ((left, right), (right, left)):
            if 0 < low.high < high.step and high.step & (high.step - 1) == 0:
                ways += [f"({a} | {b})", f"({a} ^ {b})"]
        return self.random.choice(ways)

    def subtract(self, n, left, right, constant, name):
        a, b = self.spell(left, name), self.spell(right, name)
        return self.random.choice((f"({a} - {b})", f"({a} - {b})", f"({a} + ~{b} + {literal(1, name)})"))

    def factor(self, left, right, name):
        """How far lanes are apart, and in how long runs, has to be known to be of use."""
        return self.known(right.args[0], name) if left.uses("i") else self.spell(right, name)

    def multiply(self, n, left, right, constant, name):
        a, b = self.spell(left, name), self.factor(left, right, name)
        ways = [f"({a} * {b})"] * 2 + [f"({b} * {a})"]
        if constant is not None and constant & (constant - 1) == 0 and constant > 0:
            ways += [f"({a} << {constant.bit_length() - 1})"] * 2
        if constant == 2:
            ways.append(f"({a} + {self.spell(left, name)})")
        if constant is not None and 2 < constant < 1000:
            ways.append(f"({a} * {literal(constant - 1, name)} + {self.spell(left, name)})")
        return self.random.choice(ways)

    def divide(self, n, left, right, constant, name):
        a, b = self.spell(left, name), self.factor(left, right, name)
        ways = [f"({a} / {b})"] * 3
        if constant & (constant - 1) == 0:
            ways += [f"({a} >> {constant.bit_length() - 1})"] * 2
        return self.random.choice(ways)

    def remain(self, n, left, right, constant, name):
        a, b = self.spell(left, name), self.factor(left, right, name)
        ways = [f"({a} % {b})"] * 3
        if constant & (constant - 1) == 0:
            ways += [f"({a} & {literal(constant - 1, name)})"] * 2
        again = self.local(self.spell(left, name), name)
        ways.append(f"({again} - {again} / {b} * {b})")
        return self.random.choice(ways)

    def extreme(self, n, left, right, constant, name):
        a, b = self.spell(left, name), self.spell(right, name)
        order = "<" if n.op == "min" else ">"
        if self.chance(0.3):
            a, b = self.local(a, name), self.local(b, name)
            return f"({a} {order} {b} ? {a} : {b})"
        return f"{n.op}({a}, {b})"

    def differ(self, n, left, right, constant, name):
        return f"({self.spell(left, name)} ^ {self.spell(right, name)})"
