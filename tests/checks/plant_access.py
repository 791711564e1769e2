# SPDX-License-Identifier: Apache-2.0
"""Objects in memory, accesses to them, and what is wrong with an access, if anything, for each invocation.

Numbers are `Node`s (tests/spellings/expressions.py) of the variables that VARIABLES lists.
"""

import functools
import pathlib
import sys
from dataclasses import dataclass, field

from plant_types import Array, Matrix, Scalar, Struct, Vector, declare

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "spellings"))
from expressions import LOOKED, Node, node  # pylint: disable=wrong-import-position

# Numbers of the invocation, in its workgroup, of the workgroup, of the subgroup and of an invocation that
# the subgroup tells of; the turn of a loop, and which call of a function it is.
VARIABLES = ("i", "l", "w", "s", "j", "k", "c")
LOOKED_UP = [at * 29 % LOOKED for at in range(1 << 12)]
GUARD = 256  # bytes behind each buffer, which are no buffer's
OUTSIDE = {"storage": "buffer-bounds", "uniform": "buffer-bounds", "address": "address"}
BLOCKS = ("storage", "uniform", "address")
UNSURE = "unsure"  # no kind of finding: what an access does is not known


@functools.lru_cache(maxsize=4096)
def evaluator(text):
    return eval(f"lambda {', '.join(VARIABLES)}: {text}", {"looked": LOOKED_UP})  # pylint: disable=eval-used


def values_of(number):
    """A function from the values of VARIABLES to that of a Node."""
    return evaluator(number.model().replace("/", "//"))


def readings(value, name):
    """What an index of this type is, where it counts as signed, as in SPIR-V, and where as GLSL has it."""
    bits = 64 if "64" in name else 32
    value &= (1 << bits) - 1
    signed = value - (1 << bits) if value >> (bits - 1) else value
    return signed, signed if name.startswith("int") else value


def lowest_bit(number):
    return number & -number


@dataclass(eq=False)
class Object:
    """An array, alone in a variable or a member of a block."""
    name: str
    memory: str  # storage, uniform, address, push, shared, private, function or constant
    element: object
    rule: str
    count: int
    runtime: bool = False  # the block ends with it, and it has no length of its own
    role: str = "read"  # write: each place by one invocation; atomic; any
    head: tuple = ()  # members of the block before it
    tail: tuple = ()
    descriptors: int = 0  # how many the array of them has; 0: there is no array
    unsized: bool = False  # ... and the shader does not say how many
    at: int = 0  # where in its buffer the descriptor begins
    dynamic: bool = False  # ... by a dynamic offset
    has_range: bool = False  # the descriptor ends with the block, not with its buffer
    spare: int = 0  # bytes of the buffer behind it
    named: bool = True  # the block is
    reference_align: int = 16
    pointer: str = ""  # push, cast, table or sum: how the shader gets the address
    missing: int = 0  # bytes that the range lacks with the bug
    fewer: int = 0  # elements that the variable lacks with the bug
    values: str = ""  # of elements; their directive has $(BUG) where the bug is there
    null: bool = False  # with the bug
    unwritten: bool = False  # the buffer has no contents before the run
    inline: bool = False  # the uniform block is in the descriptor set
    qualifier: str = ""
    size_id: int = 0  # of the specialization constant that is the array's length; 0: none
    left_out: int = -1  # element of the array of descriptors that is not there with the bug
    address: str = ""  # of the first byte, in directives
    behind: int = 0  # bytes of other push constants behind it, at least
    accesses: list = field(default_factory=list)

    def block(self):
        count = None if self.runtime else self.count
        return Struct("", (*((f"{self.name}_h{k}", t) for k, t in enumerate(self.head)),
                           (self.data(), Array(self.element, count)),
                           *((f"{self.name}_t{k}", t) for k, t in enumerate(self.tail))))

    def data(self):
        return "data" if self.named and self.memory in BLOCKS else self.name

    def offset(self, rule):
        return self.block().offsets(rule)[len(self.head)] if self.memory in BLOCKS else 0

    def bytes(self, rule=None):
        """What the object is in memory: a descriptor's range, a variable."""
        rule = rule or self.rule
        array = Array(self.element, self.count)
        if self.memory not in BLOCKS:
            return array.layout(rule)[1]
        if self.runtime:
            return self.offset(rule) + array.layout(rule)[1]
        return self.block().layout(rule)[1]

    def extent(self, rule=None):
        """Bytes that may be accessed, with the bug."""
        if self.memory not in BLOCKS:
            return Array(self.element, self.count - self.fewer).layout(rule or self.rule)[1]
        return self.bytes(rule) - self.missing + (0 if self.has_range else self.spare)

    def rules(self):
        """Of variables it is the driver's choice how they lie."""
        return (self.rule,) if self.memory in (*BLOCKS, "push") else ("scalar", "std430")

    def length(self):
        """GLSL of how many elements a variable has."""
        return f"n_{self.name}" if self.size_id else f"{self.count}u"

    def variable(self):
        """The declaration of a variable."""
        text = declare(Array(self.element, self.count), self.name)
        return text.replace(f"[{self.count}]", f"[n_{self.name}]", 1) if self.size_id else text

    def root(self):
        """GLSL that array and descriptor are chosen from."""
        return self.name if self.memory in BLOCKS and self.named else ""

    def declaration(self):
        qualifier = {"read": "readonly ", "write": "writeonly "}.get(self.role, "")
        return f"{self.qualifier}{qualifier}", " ".join(declare(t, m) + ";" for m, t in self.block().members)


@dataclass
class Step:
    """An index into an array of `count` (None: the object), elements lying `strides[rule]` apart; or a member."""
    number: Node = None
    count: int = None
    member: str = ""
    strides: dict = None
    offsets: dict = None


class Access:
    """One access: to which part of the object, and by which indices."""

    of_lanes = True  # each invocation does it by itself

    def __init__(self, of, kind):
        self.object = of
        self.kind = kind  # load, store or atomic
        self.steps = []
        self.leaf = of.element
        self.descriptor = None
        self.nonuniform = False
        self.index_type = "uint"
        self.texts = []  # the indices as they were spelled, and of the descriptor
        self.indirect = {}  # position of an index: its text, and it is not spelled
        self.pointer_text = ""
        self.shift = 0  # bytes that the address is off with the bug; None: by far
        of.accesses.append(self)

    def choose(self, outer, inner, random):
        """The outer index, and inner ones from `inner(count)`, to a scalar, a vector or, for loads, more."""
        of, element = self.object, self.object.element
        rules = of.rules()

        def index(number, array, count):
            # Components of vectors have no gaps in any layout.
            strides = {r: array.stride("scalar" if array.element == component else r) for r in rules}
            self.steps.append(Step(number, count, strides=strides))

        component = None

        index(outer, Array(element, of.count), None)
        while True:
            stop = self.kind == "load" and random.random() < 0.2
            if isinstance(element, Struct) and not stop:
                k = random.randrange(len(element.members))
                self.steps.append(Step(member=element.members[k][0], offsets={r: element.offsets(r)[k] for r in rules}))
                element = element.members[k][1]
            elif isinstance(element, Array):
                index(inner(element.count), element, element.count)
                element = element.element
            elif isinstance(element, Matrix) and not stop:
                index(inner(element.columns), element.array(), element.columns)
                element = element.array().element
            elif isinstance(element, Vector) and (self.kind == "atomic" or random.random() < 0.3):
                component = Scalar(element.name)
                index(inner(element.size), Array(component, element.size), element.size)
                element = component
            else:
                break
        self.leaf = element

    def numbers(self):
        return [step.number for step in self.steps if step.number is not None]

    def spell(self, speller):
        self.texts = [self.indirect[at](speller) if at in self.indirect else speller.spell(n, self.index_type)
                      for at, n in enumerate(self.all_numbers())]

    def path(self, texts=None, pointer=None):
        """GLSL of what is accessed."""
        texts = list(self.texts if texts is None else texts)
        root = self.object.root()
        if self.object.memory == "address":
            root = pointer or self.pointer_text
        if self.descriptor is not None:
            which = texts.pop()
            root += f"[nonuniformEXT({which})]" if self.nonuniform else f"[{which}]"
        path = f"{root}.{self.object.data()}" if root else self.object.data()
        for step in self.steps:
            path += f".{step.member}" if step.number is None else f"[{texts.pop(0)}]"
        return path

    def all_numbers(self):
        return self.numbers() + ([self.descriptor] if self.descriptor is not None else [])

    def count_at(self, position):
        """How many there are to choose from by an index, and whether the shader says so."""
        counts = [step.count for step in self.steps if step.number is not None] + [self.object.descriptors]
        return counts[position] or self.object.count

    def element_bytes(self):
        return Array(self.object.element, None).stride(self.object.rules()[0])

    def unit(self, position):  # pylint: disable=unused-argument
        """What a right index may change by."""
        return 1

    def outcome(self, values):
        """The kind of finding that there is with these indices; None: it is right; UNSURE."""
        both = [readings(v, self.index_type) for v in values]
        kinds = {self.settled([r[way] for r in both]) for way in (0, 1)}
        return kinds.pop() if len(kinds) == 1 else UNSURE

    def settled(self, values):
        if self.descriptor is not None:
            which = values[-1]
            if not 0 <= which < self.object.descriptors:
                return "descriptor-bounds"
            if which == self.object.left_out:
                return "null-descriptor"
        if self.object.null:
            return "null-descriptor"
        if self.shift is None:
            return "address"
        kinds = {self.placed(values, rule) for rule in self.object.rules()}
        return kinds.pop() if len(kinds) == 1 else UNSURE

    def placed(self, values, rule):
        of = self.object
        offset, at = of.offset(rule) + self.shift, iter(values)
        within = of.runtime or 0 <= values[0] < of.count - of.fewer
        for step in self.steps:
            if step.number is None:
                offset += step.offsets[rule]
                continue
            index = next(at)
            within &= step.count is None or 0 <= index < step.count
            offset += index * step.strides[rule]
        past = offset + self.leaf.leaf_end(rule) - of.extent(rule)
        aligned = not self.shift or offset % self.promised_alignment() == 0
        if offset >= 0 and past <= 0:
            return "array-bounds" if not within else None if aligned else "alignment"
        if not aligned:
            return UNSURE
        if of.memory == "push":  # which are one variable
            return UNSURE if offset < 0 or of.behind < past < of.behind + 64 * (of.behind > 0) else \
                "array-bounds" if past <= of.behind else "variable-bounds"
        if of.memory == "address" and not within:
            return UNSURE  # both are wrong
        # Behind a buffer's guard and before a buffer there may be others.
        if of.memory == "address" and not (-64 <= offset and past <= GUARD) and not 1 << 35 <= abs(offset) < 1 << 46:
            return UNSURE
        return OUTSIDE.get(of.memory, "variable-bounds")

    def promised_alignment(self):
        """Of an access by address: the greatest power of two that glslang says."""
        rule, bits = self.object.rule, self.object.reference_align | self.object.offset(self.object.rule)
        for step in self.steps:
            bits |= (step.offsets or step.strides)[rule]
        return max(lowest_bit(bits), self.leaf.leaf_end(rule) if self.kind == "atomic" else 1)


def in_range(random, number, count):
    """`number`, or one that is less than `count` too."""
    if number.high < count:
        return number
    ways = [number % count, node(count - 1) - number % count]
    if count > 1:
        ways.append(number.clamped(0, count - 1))
    return random.choice(ways)
