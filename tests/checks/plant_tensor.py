# SPDX-License-Identifier: Apache-2.0
"""Cooperative matrices through tensor layouts and views, and what of them lies outside."""

from plant_access import GUARD, UNSURE, readings
from plant_matrix import MatrixMaker, MatrixStatement
from plant_program import MARK
from plant_statements import Text
from plant_types import SCALARS, Scalar
from expressions import node  # by plant_access

CLAMPS = ("Constant", "Constant", "ClampToEdge", "Repeat", "MirrorRepeat")


class TensorAccess:
    """A load or store of a matrix of which the last two dimensions of a layout are a slice."""

    index_type = "uint"
    of_lanes = False
    indirect = {}

    def __init__(self, of, kind, shape, clamp, dimensions, transposed):
        self.object, self.kind, self.shape, self.clamp = of, kind, shape, clamp
        self.dimensions, self.transposed = dimensions, transposed
        self.numbers = {}  # "element", "size0"..., "stride0"..., "at0"...
        self.packed = False  # strides are not set, but follow from the sizes
        self.shift = 0
        self.texts = []
        self.pointer_text = ""
        of.accesses.append(self)

    def spans(self):
        last = (self.shape.rows, self.shape.columns)
        return (1,) * (self.dimensions - 2) + (last[::-1] if self.transposed else last)

    def names(self):
        return list(self.numbers)

    def all_numbers(self):
        return list(self.numbers.values())

    def element_bytes(self):
        return SCALARS[self.shape.component][0]

    def unit(self, position):  # pylint: disable=unused-argument
        return 1

    def count_at(self, position):
        return self.object.count

    def spell(self, speller):
        self.texts = [speller.spell(n, "uint") for n in self.all_numbers()]

    def outcome(self, values):
        if any(readings(v, "uint") != (v, v) for v in values):
            return UNSURE
        of, value = self.object, dict(zip(self.names(), values))
        if of.null or of.left_out >= 0:
            return UNSURE
        if self.shift is None:
            return "tensor-bounds" if self.most(value) >= 0 else None
        room = (of.extent() - of.offset("std430") - self.shift) // SCALARS[self.shape.component][0] - value["element"]
        most = self.most(value)
        if of.memory == "address" and room * SCALARS[self.shape.component][0] < -GUARD or most >= 1 << 31:
            return UNSURE
        return "tensor-bounds" if most >= max(room, 0) else None

    def strides(self, value):
        if not self.packed:
            return [value[f"stride{d}"] for d in range(self.dimensions)]
        strides = [1]
        for d in range(self.dimensions - 1, 0, -1):
            strides.insert(0, strides[0] * value[f"size{d}"])
        return strides

    def most(self, value):
        """The last element that is accessed; -1: none is."""
        total, strides = 0, self.strides(value)
        for d, span in enumerate(self.spans()):
            size = value[f"size{d}"]
            places = [self.clamped(value[f"at{d}"] + c, size) for c in range(span)]
            places = [p for p in places if p is not None]
            if not places:
                return -1
            total += max(places) * strides[d]
        return total

    def clamped(self, at, size):
        if at < size:
            return at
        if self.kind == "store" or size == 0 or self.clamp == "Constant":
            return None
        if self.clamp == "ClampToEdge":
            return size - 1
        if self.clamp == "Repeat":
            return at % size
        at %= max(2 * size - 2, 1)
        return 2 * size - 2 - at if at >= size else at


class TensorStatement(MatrixStatement):
    def lines(self, texts, marked, by_rows=None, pointer=None):
        access, text = self.access, dict(zip(self.access.names(), texts))
        of, n, layout = access.object, access.dimensions, f"layout_{self.name}"
        mode = f"gl_CooperativeMatrixClampMode{access.clamp}NV"
        every = range(n)
        lines = [f"tensorLayoutNV<{n}, {mode}> {layout} = createTensorLayoutNV({n}, {mode});",
                 f"{layout} = setTensorLayoutDimensionNV({layout}, {', '.join(text[f'size{d}'] for d in every)});"]
        if not access.packed:
            strides = ", ".join(text[f"stride{d}"] for d in every)
            lines.append(f"{layout} = setTensorLayoutStrideNV({layout}, {strides});")
        slices = ", ".join(f"{text[f'at{d}']}, {span}u" for d, span in enumerate(access.spans()))
        lines.append(f"{layout} = sliceTensorLayoutNV({layout}, {slices});")
        view = ""
        if access.transposed:
            lines.append(f"tensorViewNV<2, false, 1, 0> view_{self.name} = createTensorViewNV(2, false, 1, 0);")
            view = f", view_{self.name}"
        root = (pointer or access.pointer_text) if of.memory == "address" else of.root()
        path = f"{root}.{of.data()}" if root else of.data()
        call = f"coopMat{access.kind.capitalize()}TensorNV({self.name}, {path}, {text['element']}, {layout}{view});"
        return ["{", *lines, call + (MARK if marked else ""), "}"]


class TensorMaker(MatrixMaker):
    def __init__(self, maker):
        super().__init__(maker)
        self.program.debug = "debug lines"  # glslang makes invalid debug information of tensor layouts

    def tensor(self, block, kind, shape, name, memory):
        random = self.random
        of = self.object(memory, {"load": "any" if memory == "shared" else "read", "store": "write"}[kind], shape)
        dimensions = random.choice((2, 2, 2, 3))
        access = TensorAccess(of, kind, shape, random.choice(CLAMPS) if kind == "load" else "Constant", dimensions,
                              dimensions == 2 and random.random() < 0.3)
        numbers = access.numbers
        numbers["element"] = node(random.choice((0, 0, 0, random.randrange(1, 40))))
        spans = access.spans()
        inside = random.random() < 0.5
        starts = [self.place(block, shape) % 8 if kind == "load" or d == 0 else node(random.randrange(4))
                  for d in range(dimensions)]
        if kind == "store":  # the first dimension tells who stores what
            starts[0] = self.own(block, shape) * spans[0]
        sizes = [start.high + span if inside else max(start.high + span - random.randrange(span + 3), 1)
                 for start, span in zip(starts, spans)]
        for d, size in enumerate(sizes):
            numbers[f"size{d}"] = node(size)
        access.packed = random.random() < 0.4
        if not access.packed:
            stride = random.choice((1, 1, 1, 2))
            for d in range(dimensions - 1, -1, -1):
                numbers[f"stride{d}"] = node(stride)
                stride = stride * sizes[d] + random.choice((0, 0, 1, 8))
            ordered = {k: numbers[k] for k in numbers if not k.startswith("stride")}
            ordered.update({f"stride{d}": numbers[f"stride{d}"] for d in range(dimensions)})
            access.numbers = numbers = ordered
        for d, start in enumerate(starts):
            numbers[f"at{d}"] = start
        value = {name: number.high for name, number in numbers.items()}
        value.update({f"at{d}": 0 for d in range(dimensions)})
        whole = sum((size - 1) * stride for size, stride in zip(sizes, access.strides(value))) + 1
        of.count = numbers["element"].high + whole + random.choice((0, 0, 0, 5))
        if memory == "shared":
            self.stage(block, of)
        statement = TensorStatement(access, name, block)
        block.statements.append(statement)
        if memory == "shared" and block.turns > 1:
            block.statements.append(Text("barrier();"))

    def object(self, memory, role, shape):
        of = super().object(memory, role, shape)
        of.element = Scalar(shape.component)
        return of

    def make(self, memory=None):
        random = self.random
        block, shape, name = self.block(), self.shape(), self.program.name("m")
        memory = memory or random.choice(("storage", "storage", "address", "shared"))
        if random.random() < 0.6:
            self.tensor(block, "load", shape, name, memory)
            self.store(block.statements, block, shape, name)
        else:
            self.load(block, None, shape, name)
            self.tensor(block, "store", shape, name, "storage" if memory == "shared" else memory)
