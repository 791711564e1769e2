# SPDX-License-Identifier: Apache-2.0
"""Cooperative matrices: loads, stores and products, and what of them lies outside or is not aligned."""

from dataclasses import dataclass

from plant_access import GUARD, UNSURE, lowest_bit, readings
from plant_objects import make_object, pointer_text
from plant_program import MARK, Block, high_turn, turn_variable
from plant_statements import Text, calls
from plant_types import SCALARS, Scalar, Vector, round_up
from expressions import node  # by plant_access

# Component types of A and B and of C, and the sizes M, N, K.
PRODUCTS = (("float16_t", "float", (16, 16, 16)), ("float16_t", "float16_t", (16, 16, 16)),
            ("bfloat16_t", "float", (16, 16, 16)), ("int8_t", "int", (16, 16, 32)), ("uint8_t", "uint", (16, 16, 16)),
            ("float", "float", (16, 16, 16)), ("int16_t", "int", (16, 16, 16)),
            ("float16_t", "float", (16, 8, 16)), ("float16_t", "float", (8, 8, 8)), ("float", "float", (8, 8, 8)))
FLEXIBLE = (("float16_t", "float"), ("int8_t", "int"), ("float", "float"), ("bfloat16_t", "float"))
POINTEES = (Scalar("uint"), Vector("uint", 2), Vector("uint", 4), Vector("float16_t", 4), Scalar("uint16_t"))
MATRIX_EXTENSIONS = ("GL_KHR_cooperative_matrix", "GL_KHR_memory_scope_semantics", "GL_EXT_bfloat16",
                     "GL_NV_cooperative_matrix2")
USES = ("A", "B", "Accumulator")


@dataclass
class Shape:
    """Of a matrix."""
    component: str
    rows: int
    columns: int
    use: str
    scope: str  # Subgroup or Workgroup

    def text(self):
        return (f"coopmat<{self.component}, gl_Scope{self.scope}, {self.rows}, {self.columns}, "
                f"gl_MatrixUse{self.use}>")

    def bytes(self):
        return SCALARS[self.component][0]


class MatrixAccess:
    """A load or store of a matrix, at `place` and with lines `stride` apart, in elements of the object."""

    index_type = "uint"
    of_lanes = False

    def __init__(self, of, kind, shape, by_rows):
        self.object, self.kind, self.shape, self.by_rows = of, kind, shape, by_rows
        self.place = self.stride = node(0)
        self.turned = False  # the layout is the other one, with the bug
        self.shift = 0
        self.indirect = {}
        self.texts = []
        self.pointer_text = ""
        of.accesses.append(self)

    def lines(self):
        rows, columns = self.shape.rows, self.shape.columns
        return (rows, columns) if self.by_rows != self.turned else (columns, rows)

    def alignment(self):
        """What pointer and stride must be multiples of, in bytes."""
        return min(16, lowest_bit(self.lines()[1] * self.shape.bytes()))

    def element_bytes(self):
        return self.object.element.layout("std430")[1]

    def unit(self, position=0):  # pylint: disable=unused-argument
        return max(self.alignment() // self.element_bytes(), 1)

    def count_at(self, position):
        return self.object.count if position == 0 else self.object.count // self.lines()[0]

    def all_numbers(self):
        return [self.place, self.stride]

    def spell(self, speller):
        self.texts = [self.indirect[at](speller) if at in self.indirect else speller.spell(n, "uint")
                      for at, n in enumerate(self.all_numbers())]

    def end(self, place, stride):
        """Elements that the object needs."""
        lines, length = self.lines()
        return place + stride * (lines - 1) + -(-length * self.shape.bytes() // self.element_bytes())

    def outcome(self, values):
        both = [readings(v, "uint") for v in values]
        # A stride counts without a sign.
        kinds = {self.settled(both[0][way], both[1][1]) for way in (0, 1)}
        return kinds.pop() if len(kinds) == 1 else UNSURE

    def settled(self, place, stride):
        of = self.object
        if of.null or of.left_out >= 0:
            return UNSURE
        if self.shift is None:
            return "matrix-bounds"
        lines, length = self.lines()
        begin = of.offset("std430") + place * self.element_bytes() + self.shift
        size = of.extent()
        stride *= self.element_bytes()
        outside = begin < 0 or begin + stride * (lines - 1) + length * self.shape.bytes() > size
        aligned = begin % self.alignment() == 0 and stride % self.alignment() == 0
        if outside and of.memory == "address" and not -64 <= begin < size + GUARD:
            return UNSURE  # it may begin in another buffer
        return None if not outside and aligned else UNSURE if outside and not aligned else \
            "matrix-bounds" if outside else "matrix-alignment"


class MatrixStatement:
    """Loads into, or stores from, the matrix `name`."""

    guard = None

    def __init__(self, access, name, block, once=False):
        self.access, self.name, self.block, self.once = access, name, block, once
        self.wrong = None
        self.marked = False
        self.guard_text = ""

    def executed(self, program, bug=False):
        return (v for v in program.executed(self.block, bug) if not self.once or v[-2] == 0)

    def spell(self, program):
        self.access.spell(program.speller)
        if self.access.object.memory == "address":
            self.access.pointer_text = pointer_text(program, self.access.object)
        self.bad_lines = self.wrong(program, self) if self.wrong else None

    def emit(self):
        declared = [f"{self.access.shape.text()} {self.name};"] if self.access.kind == "load" else []
        right = self.lines(self.access.texts, self.marked)
        if self.bad_lines is None:
            return [*declared, *right]
        return [*declared, "#if BUG", *self.bad_lines, "#else", *right, "#endif"]

    def changed(self, texts=None, pointer=None):
        return self.lines(texts or self.access.texts, True, pointer=pointer)

    def lines(self, texts, marked, by_rows=None, pointer=None):
        access = self.access
        of = access.object
        root = (pointer or access.pointer_text) if of.memory == "address" else of.root()
        path = f"{root}.{of.data()}" if root else of.data()
        layout = "RowMajor" if (access.by_rows if by_rows is None else by_rows) else "ColumnMajor"
        return [f"coopMat{access.kind.capitalize()}({self.name}, {path}, {texts[0]}, {texts[1]}, "
                f"gl_CooperativeMatrixLayout{layout});{MARK if marked else ''}"]


class MatrixMaker:
    """Makes blocks with matrices."""

    def __init__(self, maker):
        self.maker, self.program, self.random = maker, maker.program, maker.random
        program = self.program
        program.extensions = list(MATRIX_EXTENSIONS)
        program.required += ["cooperativeMatrixFlexibleDimensions shaderBFloat16Type shaderBFloat16CooperativeMatrix",
                             "cooperativeMatrixTensorAddressing"]
        if program.size in (128, 256) and program.full and self.random.random() < 0.6:
            program.required.append("cooperativeMatrixWorkgroupScope")
            self.scopes = ("Subgroup", "Workgroup")
        else:
            self.scopes = ("Subgroup",)

    def product(self):
        random = self.random
        scope = random.choice(self.scopes)
        if scope == "Workgroup" or random.random() < 0.2:
            a, c = random.choice(FLEXIBLE)
            return a, c, [8 * random.randrange(1, 6) for _ in range(3)], scope
        return (*random.choice(PRODUCTS), scope)

    def shape(self):
        a, c, (m, n, k), scope = self.product()
        use = self.random.choice(USES)
        rows, columns = {"A": (m, k), "B": (k, n), "Accumulator": (m, n)}[use]
        return Shape(c if use == "Accumulator" else a, rows, columns, use, scope)

    def object(self, memory, role, shape):
        random = self.random
        fitting = [p for p in POINTEES if shape.bytes() * min(shape.rows, shape.columns) % p.layout("std430")[1] == 0]
        element = random.choice(fitting) if fitting and random.random() < 0.25 and memory != "shared" \
            else Scalar(shape.component)
        of = make_object(self.program, self.maker.types, memory, role, element)
        of.rule = "std430" if memory != "shared" else of.rule
        of.head, of.tail, of.descriptors, of.unsized = (), (), 0, False
        of.reference_align = 16
        if memory != "shared" and random.random() < 0.3:
            of.head = (Vector("uint", 4),)
        if element.name in ("bfloat16_t", "float16_t"):  # sums of products are to be less than 65504
            of.values = "i * 37 % 20"
        return of

    def numbers(self, block, shape):
        """Numbers that all who have a matrix have."""
        variables = self.program.variables
        chosen = [variables["s" if shape.scope == "Subgroup" else "w"], variables["w"], node(0)]
        if high_turn(block):
            chosen += [turn_variable(block)] * 3
        if len(block.sites) > 1:
            chosen.append(calls(block))
        return chosen

    def place(self, block, shape):
        random = self.random
        chosen = self.numbers(block, shape)
        number = random.choice(chosen)
        for _ in range(random.randrange(3)):
            changed = random.choice((number + random.choice(chosen), number * random.choice((2, 3, 16)),
                                     number + random.randrange(9), node(number.high) - number))
            number = changed if changed.high < 300 else number
        return number

    def own(self, block, shape):
        """Another number for each store, and how many there are."""
        number = self.program.variables["s" if shape.scope == "Subgroup" else "w"]
        total = number.high + 1
        if high_turn(block):
            number, total = number + turn_variable(block) * total, total * (high_turn(block) + 1)
        if len(block.sites) > 1:
            number, total = number + calls(block) * total, total * len(block.sites)
        return node(total - 1) - number if self.random.random() < 0.3 else number

    def settle(self, access, block):
        """Chooses place and stride, and gives the object room for it."""
        random, of = self.random, access.object
        length = access.lines()[1]
        unit = access.unit()
        least = round_up(-(-length * access.shape.bytes() // access.element_bytes()), unit)
        strides = [least, least, least + unit, 2 * least + unit * random.randrange(4)]
        if access.kind == "load":
            strides += [0, unit]
        access.stride = node(random.choice(strides))
        if access.kind == "store":
            access.place = self.own(block, access.shape) * round_up(access.end(0, access.stride.high), unit)
        else:
            access.place = self.place(block, access.shape) * (unit * random.choice((1, 1, 3, length)))
        if random.random() < 0.3:
            access.place = access.place + unit * random.randrange(1, 30)
        of.count = access.end(access.place.high, access.stride.high) + random.choice((0, 0, 0, unit, 8 * unit))

    def load(self, block, memory=None, shape=None, name=None):
        random, program = self.random, self.program
        shape = shape or self.shape()
        memory = memory or random.choice(("storage", "storage", "address", "shared"))
        of = self.object(memory, "any" if memory == "shared" else "read", shape)
        access = MatrixAccess(of, "load", shape, random.random() < 0.5)
        self.settle(access, block)
        if memory == "shared":
            self.stage(block, of)
        statement = MatrixStatement(access, name or program.name("m"), block)
        block.statements.append(statement)
        if memory == "shared" and block.turns > 1:
            block.statements.append(Text("barrier();"))
        return statement

    def stage(self, block, of):
        """Fills shared memory, before the block or in each turn."""
        value = f"{of.element.name}({'float' if of.element.name == 'bfloat16_t' else ''}(q & 15u))"
        head = f"for (uint q = own; q < {of.count}u; q += {self.program.size}u)"
        lines = (f"{head} {of.name}[q] = {value};", "barrier();")
        if block.turns > 1:
            block.statements.append(Text(*lines))
        else:
            block.prologue.append(Text(*lines))
            block.epilogue = [Text("barrier();")]

    def store(self, statements, block, shape, name, once=False, memory=None):
        memory = memory or self.random.choice(("storage", "address"))
        of = self.object(memory, "write", shape)
        access = MatrixAccess(of, "store", shape, self.random.random() < 0.5)
        self.settle(access, Block(sites=block.sites) if once else block)
        statement = MatrixStatement(access, name, block, once)
        statements.append(statement)

    def block(self):
        block = self.maker.block(uniform=True)
        # Barriers and matrices are for all.
        block.function = block.function and self.random.random() < 0.5
        if not block.function:
            block.sites = block.sites[:1]
            block.sites[0] = type(block.condition)()
        return block

    def copy(self, memory=None):
        block = self.block()
        loaded = self.load(block, memory)
        self.store(block.statements, block, loaded.access.shape, loaded.name)

    def multiply(self, memory=None):
        block, program = self.block(), self.program
        a, c, (m, n, k), scope = self.product()
        shape = Shape(c, m, n, "Accumulator", scope)
        total = program.name("m")
        block.inner.append(Text(f"{shape.text()} {total} = {shape.text()}({c}(0));"))
        x = self.load(block, memory, Shape(a, m, k, "A", scope))
        y = self.load(block, memory, Shape(a, k, n, "B", scope))
        block.statements.append(Text(f"{total} = coopMatMulAdd({x.name}, {y.name}, {total});"))
        self.store(block.after, block, shape, total, once=True)

    def make(self, memory=None):
        self.random.choice((self.copy, self.multiply))(memory)
