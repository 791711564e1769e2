# SPDX-License-Identifier: Apache-2.0
"""Bugs that the check of numbers finds: operations on an operand out of a buffer that they are not defined for, or
that give no number.

Of each operation there are operands that are right and such that are wrong, and what keeps the wrong ones away.
"""

from dataclasses import dataclass

from plant_access import values_of
from plant_matrix import MatrixMaker, Shape
from plant_program import Block
from plant_sites import Site, calls, marked, plain_buffer, planters
from plant_types import SCALARS, Scalar, Vector

F16, F32, F64 = "float16_t", "float", "double"
FLOATS = (F16, F32, F64)
SHORT = (F16, F32)
INTEGERS = ("int8_t", "uint8_t", "int16_t", "uint16_t", "int", "uint", "int64_t", "uint64_t")
MOST_ELEMENTS = 60


@dataclass(frozen=True)
class Operation:
    """X is the operand, of type T; R is the result's type, which is T unless `result` says another scalar."""
    text: str
    types: tuple
    good: str  # elements of the buffer, by their index i
    bad: dict  # by type, or None for all: numbers
    guarded: str  # what of X is always right
    result: str = ""
    vectors: bool = True

    def wrong(self, name, random):
        return random.choice(self.bad.get(name) or self.bad[None])


def width(name):
    return SCALARS[name][0] * 8


POSITIVE, ABOVE_ZERO = "i % 13 + 1", "max(X, T(0))"
NAN = [
    Operation("sqrt(X)", FLOATS, POSITIVE, {None: ("-4", "-0.5", "-inf")}, ABOVE_ZERO),
    Operation("inversesqrt(X)", FLOATS, POSITIVE, {None: ("-4", "-0.5")}, "max(X, T(1))"),
    Operation("log(X)", SHORT, POSITIVE, {None: ("-1", "-20")}, "max(X, T(1))"),
    Operation("log2(X)", SHORT, POSITIVE, {None: ("-1", "-20")}, "max(X, T(1))"),
    Operation("acos(X)", SHORT, "(i % 5 - 2) * 0.5", {None: ("1.5", "-2")}, "clamp(X, T(-1), T(1))"),
    Operation("asin(X)", SHORT, "(i % 5 - 2) * 0.5", {None: ("1.5", "-2")}, "clamp(X, T(-1), T(1))"),
    Operation("pow(X, T(1.5))", SHORT, POSITIVE, {None: ("-2", "-0.25")}, "max(X, T(1))"),
    Operation("T(ZERO) / X", FLOATS, POSITIVE, {None: ("0",)}, "max(X, T(1))"),
    Operation("X * T(ZERO)", FLOATS, "i % 50 - 20", {None: ("inf", "-inf")}, "clamp(X, T(-9), T(9))"),
    Operation("X - abs(X)", FLOATS, "i % 50 - 20", {None: ("inf",)}, "clamp(X, T(-9), T(9))"),
    Operation("sin(X)", SHORT, "i % 9 - 4", {None: ("inf", "-inf")}, "clamp(X, T(-9), T(9))"),
    Operation("mod(T(3), X)", SHORT, POSITIVE, {None: ("0",)}, "max(X, T(1))"),
]
INFINITY = [
    Operation("T(1) / X", FLOATS, POSITIVE, {None: ("0",)}, "max(X, T(1))"),
    Operation("T(-5) / X", FLOATS, "i % 7 - 9", {None: ("0",)}, "min(X, T(-1))"),
    Operation("log(X)", SHORT, POSITIVE, {None: ("0",)}, "max(X, T(1))"),
    Operation("inversesqrt(X)", FLOATS, POSITIVE, {None: ("0",)}, "max(X, T(1))"),
    Operation("exp(X)", SHORT, "i % 9 - 4", {F16: ("20",), F32: ("100", "5000")}, "min(X, T(4))"),
    Operation("exp2(X)", SHORT, "i % 9 - 4", {F16: ("17", "30"), F32: ("129", "1000")}, "min(X, T(4))"),
    Operation("X * X", FLOATS, "i % 99", {F16: ("300", "-60000"), F32: ("1e30", "-2e19"), F64: ("1e200",)},
              "clamp(X, T(-99), T(99))"),
    Operation("X + X", FLOATS, "i % 99", {F16: ("60000",), F32: ("3e38", "-2e38"), F64: ("1.7e308",)},
              "clamp(X, T(-99), T(99))"),
    Operation("R(X)", (F32, F64), "i * 37 % 100", {F32: ("70000", "-1e9"), F64: ("70000", "1e300")},
              "clamp(X, T(-999), T(999))", F16),
    Operation("R(X)", (F64,), "i * 37 % 100", {None: ("1e39", "-1e300")}, "clamp(X, T(-999), T(999))", F32),
    Operation("pow(X, T(8))", SHORT, POSITIVE + " - 1", {F16: ("10",), F32: ("1e10",)}, "min(X, T(3))"),
    Operation("packHalf2x16(vec2(X, 1.0))", (F32,), "i % 50", {None: ("100000", "-70000")}, "clamp(X, -99.0, 99.0)",
              "uint", vectors=False),
]
ALL_SMALL = "i % 50"
CONVERSION = [
    Operation("R(X)", (F32, F64), "i % 50 - 20", {None: ("3e9", "-3e9", "nan", "inf")}, "clamp(X, T(-99), T(99))",
              "int"),
    Operation("R(X)", (F32, F64), ALL_SMALL, {None: ("5e9", "-1", "-7.5")}, "clamp(X, T(0), T(99))", "uint"),
    Operation("R(X)", FLOATS, ALL_SMALL, {None: ("200", "-129", "-inf")}, "clamp(X, T(0), T(99))", "int8_t"),
    Operation("R(X)", FLOATS, ALL_SMALL, {None: ("300", "-1", "nan")}, "clamp(X, T(0), T(99))", "uint8_t"),
    Operation("R(X)", FLOATS, ALL_SMALL, {None: ("40000", "-33000")}, "clamp(X, T(0), T(99))", "int16_t"),
    Operation("R(X)", (F32, F64), ALL_SMALL, {None: ("70000", "-3")}, "clamp(X, T(0), T(99))", "uint16_t"),
    Operation("R(X)", (F32, F64), ALL_SMALL, {None: ("1e19", "-1e19")}, "clamp(X, T(0), T(99))", "int64_t"),
    Operation("R(X)", (F32, F64), ALL_SMALL, {None: ("2e19", "-5")}, "clamp(X, T(0), T(99))", "uint64_t"),
    Operation("R(X)", (F16,), ALL_SMALL, {None: ("inf", "nan")}, "clamp(X, T(0), T(99))", "int"),
]
DIVISION = [
    Operation("T(100) / X", INTEGERS, "i % 9 + 1", {None: ("0",)}, "max(X, T(1))"),
    Operation("T(100) % X", INTEGERS, "i % 9 + 1", {None: ("0",)}, "max(X, T(1))"),
    Operation("(X + T(5)) / X", INTEGERS, "i % 9 + 1", {None: ("0",)}, "max(X, T(1))"),
]
WIDE = {name: (str(width(name)), str(width(name) + 5), "100") for name in INTEGERS}
WIDE.update({name: (*WIDE[name], "-1") for name in INTEGERS if name.startswith("int")})
MODEST = "X & T(7)"
SHIFT = [
    Operation("T(3) << X", INTEGERS, "i % 8", WIDE, MODEST),
    Operation("T(77) >> X", INTEGERS, "i % 8", WIDE, MODEST),
    Operation("bitfieldExtract(0x12345678u, X, 9)", ("int",), "i % 24", {None: ("24", "31", "-1")}, "X & 15", "uint",
              vectors=False),
    Operation("bitfieldInsert(0x12345678u, 5u, X, 9)", ("int",), "i % 24", {None: ("24", "30", "-2")}, "X & 15", "uint",
              vectors=False),
    Operation("bitfieldExtract(0x12345678, 9, X)", ("int",), "i % 24", {None: ("24", "33", "-1")}, "X & 15", "int",
              vectors=False),
]


def bits(name, value):
    """GLSL of a uint that depends on a scalar."""
    return {F16: f"uint(float16BitsToUint16({value}))", F32: f"floatBitsToUint({value})",
            F64: f"(unpackDouble2x32({value}).x ^ unpackDouble2x32({value}).y)"}.get(name, f"uint({value})")


def of_size(name, size):
    return Scalar(name) if size == 1 else Vector(name, size)


def operand(maker, block, operation):
    """The buffer that the operand is from: its type, GLSL of one element, the place of the one that may be wrong, and
    what the buffer is called; None if nobody comes to it."""
    program, random = maker.program, maker.random
    name = random.choice(operation.types)
    size = random.choice((1, 1, 2, 3, 4)) if operation.vectors else 1
    number = maker.index(block, MOST_ELEMENTS)
    value = values_of(number)
    seen = sorted({value(*values) for values in program.executed(block)})
    if not seen:
        return None
    path = plain_buffer(maker, number.high + 1, operation.good, of_size(name, size))
    of = program.objects[-1]
    return of_size(name, size), number, path, random.choice(seen) * size + random.randrange(size), of.name


def lines_of(program, operation, of, text, guarded, line=str):
    """The operation on `text`."""
    x, y = program.name("x"), program.name("y")
    size = getattr(of, "size", 1)
    result = of_size(operation.result or of.name, size)
    made = operation.text.replace("X", f"({operation.guarded})" if guarded else "X").replace("X", x)
    made = made.replace("T(", f"{of.text()}(").replace("R(", f"{result.text()}(")
    made = made.replace("ZERO", program.speller.opaque(0))
    parts = [y] if size == 1 else [f"{y}.{'xyzw'[k]}" for k in range(size)]
    return [f"const {of.text()} {x} = {text};", line(f"const {result.text()} {y} = {made};"),
            f"sum += {' + '.join(bits(result.name, p) for p in parts)};"]


def bad_data(operations):
    def make(maker):
        """A number in a buffer is wrong."""
        random, program = maker.random, maker.program
        block, operation = maker.block(), random.choice(operations)
        found = operand(maker, block, operation)
        if found is None:
            return 0
        of, number, path, place, name = found
        bad = operation.wrong(of.name, random)
        program.fills.append(f"//! fill {name}[{place}] = $(BUG) ? {bad} : {operation.good.replace('i', str(place))}")
        kept = []

        def lines(p):
            if not kept:
                kept.extend(lines_of(p, operation, of, path(p.speller.spell(number, "uint")), False, marked))
            return kept

        block.statements.append(Site(lines, lines))
        return 2 * calls(block)
    return make


def no_guard(operations):
    def make(maker):
        """What keeps wrong numbers away is left out."""
        random, program = maker.random, maker.program
        block, operation = maker.block(), random.choice(operations)
        found = operand(maker, block, operation)
        if found is None:
            return 0
        of, number, path, place, name = found
        bad = random.choice([b for b in (operation.bad.get(of.name) or operation.bad[None]) if b != "nan"])
        program.fills.append(f"//! fill {name}[{place}] = {bad}")
        block.statements.append(Site(
            lambda p: ["{", *lines_of(p, operation, of, path(p.speller.spell(number, "uint")), True), "}"],
            lambda p: ["{", *lines_of(p, operation, of, path(p.speller.spell(number, "uint")), False, marked), "}"]))
        return 2 * calls(block)
    return make


MATRICES = {"infinity": (("float", "float16_t", "R(m)", "80000"), ("float", "float", "m * m", "1e30"),
                         ("float16_t", "float16_t", "m + m", "50000"), ("float", "float", "W / m", "0")),
            "nan": (("float", "float", "m - m", "inf"), ("float", "float", "m / m", "0"),
                    ("float16_t", "float16_t", "m - m", "-inf")),
            "conversion": (("float", "int", "R(m)", "3e9"), ("float", "uint8_t", "R(m)", "300"),
                           ("float16_t", "int8_t", "R(m)", "200")),
            "division": (("int", "int", "W / m", "0"), ("uint", "uint", "W / m", "0"),
                         ("int8_t", "int8_t", "W / m", "0"))}


def in_matrix(kind):
    def make(maker):
        """An element of a matrix is wrong."""
        random, program = maker.random, maker.program
        MatrixMaker(maker)
        source, target, text, bad = random.choice(MATRICES[kind])
        shape = [Shape(name, 16, 16, "Accumulator", "Subgroup") for name in (source, target)]
        from_path = plain_buffer(maker, 256 * program.groups * program.teams, "i % 9 + 1", Scalar(source))
        name = program.objects[-1].name
        into_path = plain_buffer(maker, 256 * program.groups * program.teams, "0", Scalar(target))
        block = Block(function=random.random() < 0.3)
        program.blocks.append(block)
        place = random.randrange(256 * program.groups * program.teams)
        program.fills.append(f"//! fill {name}[{place}] = $(BUG) ? {bad} : 1")
        m, r, w = program.name("m"), program.name("m"), program.name("w")
        made = text.replace("R(m)", f"{shape[1].text()}({m})").replace("W", w).replace("m ", f"{m} ")
        made = made[:-1] + m if made.endswith("m") else made
        row = "16, gl_CooperativeMatrixLayoutRowMajor"
        lines = [f"{shape[0].text()} {m}; {shape[0].text()} {w} = {shape[0].text()}({source}(5));",
                 f"coopMatLoad({m}, {from_path('')[:-2]}, team * 256u, {row});",
                 marked(f"{shape[1].text()} {r} = {made};"),
                 f"coopMatStore({r}, {into_path('')[:-2]}, team * 256u, {row});"]
        block.statements.append(Site(["{", *lines, "}"], ["{", *lines, "}"]))
        return 2
    return make


def rows(kind, operations):
    made = [planters("float", kind, bad_data(operations)), planters("float", kind, no_guard(operations))]
    return made + ([planters("float", kind, in_matrix(kind), full=True)] if kind in MATRICES else [])


PLANTERS = [
    *rows("nan", NAN),
    *rows("infinity", INFINITY),
    *rows("conversion", CONVERSION),
    *rows("division", DIVISION),
    *rows("shift", SHIFT),
]
