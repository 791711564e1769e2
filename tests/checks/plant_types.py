# SPDX-License-Identifier: Apache-2.0
"""Types of GLSL, and how they lie in memory by the rules std140, std430 and scalar."""

from dataclasses import dataclass

# GLSL's name of a scalar: its bytes, the prefix of its vectors, and the kernel file's name.
SCALARS = {"uint8_t": (1, "u8vec", "u8"), "int8_t": (1, "i8vec", "s8"), "uint16_t": (2, "u16vec", "u16"),
           "int16_t": (2, "i16vec", "s16"), "float16_t": (2, "f16vec", "f16"), "uint": (4, "uvec", "u32"),
           "int": (4, "ivec", "s32"), "float": (4, "vec", "f32"), "uint64_t": (8, "u64vec", "u64"),
           "int64_t": (8, "i64vec", "s64"), "double": (8, "dvec", "f64"), "bfloat16_t": (2, "", "bf16")}
PLAIN = tuple(name for name, (_, vector, _) in SCALARS.items() if vector)
ATOMIC = ("uint", "int", "uint64_t", "int64_t")


def round_up(value, to):
    return (value + to - 1) // to * to


@dataclass(frozen=True)
class Scalar:
    name: str

    def text(self):
        return self.name

    def layout(self, rule):
        """Alignment and bytes."""
        return SCALARS[self.name][0], SCALARS[self.name][0]

    def leaf_end(self, rule):
        """Bytes to the end of the last scalar: what a load of all accesses."""
        return self.layout(rule)[1]

    def scalars(self):
        return {self.name}


@dataclass(frozen=True)
class Vector(Scalar):
    size: int

    def text(self):
        return SCALARS[self.name][1] + str(self.size)

    def layout(self, rule):
        scalar = SCALARS[self.name][0]
        return scalar if rule == "scalar" else scalar * (2 if self.size == 2 else 4), scalar * self.size


@dataclass(frozen=True)
class Array:
    element: object
    count: int  # None: as many as there are

    def stride(self, rule):
        align, size = self.element.layout(rule)
        return round_up(size, 16 if rule == "std140" and align < 16 else align)

    def layout(self, rule):
        align = self.element.layout(rule)[0]
        return round_up(align, 16) if rule == "std140" else align, self.stride(rule) * (self.count or 0)

    def leaf_end(self, rule):
        return self.stride(rule) * (self.count - 1) + self.element.leaf_end(rule)

    def scalars(self):
        return self.element.scalars()


@dataclass(frozen=True)
class Matrix:
    """Columns of floats, which a first index chooses."""
    name: str
    columns: int
    rows: int

    def text(self):
        return f"{'d' if self.name == 'double' else ''}mat{self.columns}x{self.rows}"

    def array(self):
        return Array(Vector(self.name, self.rows), self.columns)

    def layout(self, rule):
        return self.array().layout(rule)

    def leaf_end(self, rule):
        return self.array().leaf_end(rule)

    def scalars(self):
        return {self.name}


@dataclass(frozen=True)
class Struct:
    name: str
    members: tuple  # of (name, type)

    def text(self):
        return self.name

    def offsets(self, rule):
        offset, offsets = 0, []
        for _, member in self.members:
            align, size = member.layout(rule)
            offset = round_up(offset, align)
            offsets.append(offset)
            offset += size
            if rule != "scalar" and isinstance(member, (Struct, Array, Matrix)):
                offset = round_up(offset, align)
        return offsets

    def layout(self, rule):
        align = max(member.layout(rule)[0] for _, member in self.members)
        if rule == "std140":
            align = round_up(align, 16)
        end = self.offsets(rule)[-1] + self.members[-1][1].layout(rule)[1]
        return align, round_up(end, align)

    def leaf_end(self, rule):
        return self.offsets(rule)[-1] + self.members[-1][1].leaf_end(rule)

    def scalars(self):
        return set().union(*(member.scalars() for _, member in self.members))

    def declaration(self):
        return f"struct {self.name} {{ {' '.join(declare(t, m) + ';' for m, t in self.members)} }};"


def declare(of, name):
    """`of` as the declaration of `name`."""
    dimensions = ""
    while isinstance(of, Array):
        dimensions += f"[{of.count}]" if of.count else "[]"
        of = of.element
    return f"{of.text()} {name}{dimensions}"


def sum_of(of, value):
    """GLSL of a uint that all scalars of `value`, of type `of`, go into."""
    if isinstance(of, Struct):
        return " + ".join(sum_of(t, f"{value}.{m}") for m, t in of.members)
    if isinstance(of, Array):
        return " + ".join(sum_of(of.element, f"{value}[{k}]") for k in range(of.count))
    if isinstance(of, Matrix):
        return sum_of(of.array(), value)
    if isinstance(of, Vector):
        return " + ".join(f"uint({value}.{'xyzw'[k]})" for k in range(of.size))
    return f"uint({value})"


def fill(of, place, value, depth=0):
    """GLSL that sets `place`, of type `of`, to small numbers."""
    if isinstance(of, Struct):
        return " ".join(fill(t, f"{place}.{m}", value, depth) for m, t in of.members)
    if isinstance(of, Array):
        q = f"q{depth}"
        inner = fill(of.element, f"{place}[{q}]", f"{value} + {q}", depth + 1)
        return f"for (uint {q} = 0u; {q} < {of.count}u; ++{q}) {{ {inner} }}"
    return f"{place} = {constructed(of, value)};"


def constructed(of, value):
    """`of`, a scalar, vector or matrix, of a small uint."""
    scalar = f"{of.name}(({value}) & 63u)"
    if isinstance(of, Matrix):
        column = f"{Vector(of.name, of.rows).text()}({scalar})"
        return f"{of.text()}({', '.join([column] * of.columns)})"
    return f"{of.text()}({scalar})" if isinstance(of, Vector) else scalar


def random_leaf(random):
    name = random.choice(PLAIN)
    size = random.choice((1, 1, 1, 2, 3, 4))
    return Scalar(name) if size == 1 else Vector(name, size)


class TypeMaker:
    """Random types, and the declarations of their structures."""

    def __init__(self, random):
        self.random = random
        self.structures = []

    def structure(self, depth):
        members = [(f"m{k}", self.make(depth + 1)) for k in range(self.random.randrange(1, 4))]
        made = Struct(f"S{len(self.structures)}", tuple(members))
        self.structures.append(made)
        return made

    def make(self, depth=0):
        random = self.random
        kind = random.choice(("leaf", "leaf", "leaf", "array", "structure", "matrix")) if depth < 2 else "leaf"
        if kind == "array":
            return Array(self.make(depth + 1), random.choice((2, 3, 4, 5, 7)))
        if kind == "structure":
            return self.structure(depth)
        if kind == "matrix":
            return Matrix(random.choice(("float", "float", "double")), random.choice((2, 3, 4)),
                          random.choice((2, 3, 4)))
        return random_leaf(random)
