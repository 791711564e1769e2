# SPDX-License-Identifier: Apache-2.0
"""Compute shaders that are right, made at random, with room for one bug: what they consist of, and their text.

A program is blocks of statements one after the other: in loops, branches and functions. A planter
(plant_memory.py) changes one statement, object or block; the kernel file has both texts, told apart by its
macro BUG. Every program is free of races, its barriers and matrices are in uniform control flow, all that it
reads has been set, and its floats are small whole numbers, so that any check may plant in it.
"""

import pathlib
import sys
from dataclasses import dataclass, field

from plant_access import LOOKED

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "spellings"))
from expressions import TYPES_32, Speller, node, variable  # pylint: disable=wrong-import-position
from kernels import loops  # pylint: disable=wrong-import-position

EXTENSIONS = ("GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_16bit_storage", "GL_EXT_shader_8bit_storage",
              "GL_EXT_scalar_block_layout", "GL_EXT_buffer_reference", "GL_EXT_nonuniform_qualifier",
              "GL_EXT_shader_atomic_int64", "GL_KHR_shader_subgroup_basic", "GL_KHR_shader_subgroup_arithmetic",
              "GL_KHR_shader_subgroup_shuffle", "GL_KHR_shader_subgroup_ballot")
FEATURES = ("shaderFloat16 shaderInt8 shaderInt16 shaderInt64 shaderFloat64 storageBuffer16BitAccess "
            "storageBuffer8BitAccess uniformAndStorageBuffer16BitAccess uniformAndStorageBuffer8BitAccess "
            "storagePushConstant8 storagePushConstant16 scalarBlockLayout bufferDeviceAddress "
            "shaderBufferInt64Atomics shaderSharedInt64Atomics shaderStorageBufferArrayNonUniformIndexing "
            "shaderUniformBufferArrayNonUniformIndexing shaderStorageBufferArrayDynamicIndexing "
            "shaderUniformBufferArrayDynamicIndexing runtimeDescriptorArray inlineUniformBlock")
GROUPS = ((32, 1, 1), (64, 1, 1), (128, 1, 1), (32, 2, 1), (16, 4, 1), (8, 2, 2), (24, 1, 1), (1, 1, 1), (96, 1, 1))
PARAMETERS = ("i", "l", "w", "s", "j")
MOST_PUSHED = 20
MOST_SHARED = 32768  # bytes
PHASE_ID = 1000
MARK = "  // finding"


class Words(Speller):
    """Spells with few push constants."""

    exact = False  # numbers may leave their ranges

    def spell(self, n, name):
        return self.plain(n, name) if self.exact else super().spell(n, name)

    def add(self, n, left, right, constant, name):
        if self.exact:
            return f"({self.spell(left, name)} + {self.spell(right, name)})"
        return super().add(n, left, right, constant, name)

    def push(self, value):
        if len(self.pushed) < MOST_PUSHED:
            return super().push(value)
        return f"pushed{self.pushed.index(value)}" if value in self.pushed else f"{value}u"

    def opaque(self, value):
        """GLSL of a uint that the compiler does not know."""
        if value in self.pushed:
            return f"pushed{self.pushed.index(value)}"
        return super().push(value)


@dataclass
class Condition:
    """Which invocations do something, in GLSL and for the model, a function of VARIABLES."""
    text: str = ""
    holds: object = None

    def of(self, values):
        return self.holds is None or self.holds(*values)


@dataclass(eq=False)
class Block:
    """Statements that belong together."""
    turns: int = 1  # of the loop around them; 1: there is none, and k is 0
    more_turns: int = 0  # with the bug
    less: str = ""  # GLSL of how many turns less there are with the bug
    wrong_call: tuple = None  # a call, and what is added to its number with the bug
    varies: bool = False  # from invocation to invocation
    condition: Condition = field(default_factory=Condition)
    sites: list = field(default_factory=lambda: [Condition()])  # calls of the function that they are in
    function: bool = False
    prologue: list = field(default_factory=list)  # in uniform control flow, before branch and loop
    inner: list = field(default_factory=list)  # before the loop
    after: list = field(default_factory=list)  # behind it
    statements: list = field(default_factory=list)
    epilogue: list = field(default_factory=list)
    loop: object = None
    ascends: bool = False  # the loop's turns are in order
    phase: int = None  # the dispatch that does it, of several
    index_types: tuple = TYPES_32


class Program:
    def __init__(self, random):
        self.random = random
        self.speller = Words(random, random.choice((0.0, 0.05, 0.15)))
        self.full = False  # subgroups are, so that they may tell of each other
        self.subgroup = random.choice((8, 16, 32, 32, 32, 64))
        self.group = random.choice(GROUPS)
        self.blocks = []
        self.objects = []
        self.functions = []
        self.declarations = []  # of matrices and the like
        self.directives = []
        self.required = []
        self.extensions = []
        self.needs_full = False
        self.wide_indices = random.random() < 0.1
        self.names = 0
        self.lists = []  # buffers of indices: name, length, values, and the directive that has the bug
        self.list_bindings = {}
        self.fills = []  # directives that set more of buffers
        self.planted = 0  # findings of what was made with the bug in it
        self.bug_words = []  # of `each`, with and without the bug
        self.phases = 1  # dispatches; the shader has the number of its own in `phase`
        self.phase_is_pushed = random.random() < 0.6  # else it is a specialization constant
        self.exchange = None  # what bugs of order are planted in (plant_exchange.py)
        self.orders = {}  # of a dispatch: what stands behind it
        self.head = self.check = self.finding = self.said = ""
        self.optimize = random.random() < 0.2
        self.debug = random.choice(("debug", "debug", "debug lines"))

    def settle(self, groups=None):
        """Sizes, which blocks need: `groups` are the workgroups that are allowed."""
        random = self.random
        self.group = random.choice(groups or GROUPS)
        x, y, z = self.group
        self.size = x * y * z
        self.full = x % self.subgroup == 0
        self.teams = self.size // self.subgroup if self.full else 1
        self.groups = random.choice((1, 2, 3)) if self.size < 100 else random.choice((1, 2))
        self.count = self.size * self.groups
        self.tells = random.choice(("exclusive", "first", "most")) if self.full else ""
        highs = {"i": self.count - 1, "l": self.size - 1, "w": self.groups - 1, "j": self.count - 1,
                 "s": self.groups * self.teams - 1}
        self.variables = {name: variable(name, 0, high) for name, high in highs.items()}
        self.own_type = random.choice(TYPES_32)
        self.speller.names = {"i": ("me", self.own_type), "l": ("own", "uint"), "w": ("group", "uint"),
                              "s": ("team", "uint"), "j": ("other", "uint"), "c": ("c", "uint")}

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    # What is executed.

    def invocations(self):
        for i in range(self.count):
            l, w = i % self.size, i // self.size
            lane = l % self.subgroup
            j = {"exclusive": i ^ 1, "first": i - lane, "most": i - lane + self.subgroup - 1, "": i}[self.tells]
            yield i, l, w, w * self.teams + l // self.subgroup, j

    def executed(self, block, bug=False):
        """The values of VARIABLES whenever the block's statements are executed."""
        extra = block.more_turns if bug else 0
        for own in self.invocations():
            for c, site in enumerate(block.sites):
                if not site.of((*own, 0, c)) or not block.condition.of((*own, 0, c)):
                    continue
                call = c + block.wrong_call[1] if bug and block.wrong_call and block.wrong_call[0] == c else c
                for k in range(block.turns + extra + (own[0] % 3 if block.varies else 0)):
                    yield (*own, k, call)

    # Text.

    def condition(self, uniform):
        random, half = self.random, self.count // 2
        pushed = self.speller.push(random.randrange(1, 9))
        ways = [Condition(f"{pushed} != 0u", lambda i, l, w, s, j, k, c: True),
                Condition("group % 2u == 0u", lambda i, l, w, s, j, k, c: w % 2 == 0)]
        if not uniform:
            ways += [Condition("uint(me) % 3u != 1u", lambda i, l, w, s, j, k, c: i % 3 != 1),
                     Condition(f"uint(me) >= {half}u", lambda i, l, w, s, j, k, c: i >= half),
                     Condition("(own & 1u) == 0u", lambda i, l, w, s, j, k, c: l & 1 == 0),
                     Condition(f"own == {self.size - 1}u", lambda i, l, w, s, j, k, c, last=self.size - 1: l == last)]
        return random.choice(ways)

    def lines_of(self, block):
        """Text of one block, in main."""
        speller = self.speller
        outer, speller.statements = speller.statements, []
        loop_of(self, block)
        speller.exact = block.more_turns > 0 or block.wrong_call is not None
        body = self.spelled(block.statements)
        if block.loop is not None:
            before, after = block.loop.text.split("BODY")
            body = [before, *body, after]
        body = [*self.spelled(block.inner), *body, *self.spelled(block.after)]
        if block.function:
            name = self.name("part")
            inside = [f"if (!({block.condition.text})) return 0u;"] if block.condition.text else []
            head = (f"uint {name}(const {self.own_type} me, const uint own, const uint group, const uint team,"
                    " const uint other, const uint c) {")
            self.functions += [head, "uint sum = 0u;", *inside, *body, "return sum;", "}"]
            body = []
            for c, site in enumerate(block.sites):
                number = f"{c}u"
                if block.wrong_call and block.wrong_call[0] == c:
                    # An optimizer that knew it would leave out the access.
                    by = f"uint({speller.opaque(block.wrong_call[1])})" if self.optimize else f"{block.wrong_call[1]}u"
                    number += f" + {by} * BUG"
                call = f"sum += {name}(me, own, group, team, other, {number});"
                body.append(f"if ({site.text}) {call}" if site.text else call)
        elif block.condition.text:
            body = self.under(block.condition.text, body)
        speller.exact = False
        speller.statements = outer
        lines = [*self.spelled(block.prologue), *body, *self.spelled(block.epilogue)]
        of_phase = "" if block.phase is None else f"if (phase == {block.phase}u) "
        return [of_phase + "{", *lines, "}"]

    def under(self, condition, body):
        """The lines, under a condition."""
        ways = ((f"if ({condition}) {{", "}"), (f"if ({condition}) {{", "} else { sum += 3u; }"),
                (f"if (!({condition})) {{ sum ^= 1u; }} else {{", "}"),
                (f"switch (({condition}) ? 2u : 5u) {{ case 1u: sum = 0u; case 5u: break; default: {{", "} }"),
                (f"do {{ if (!({condition})) break;", "} while (false);"))
        before, after = self.random.choice(ways)
        return [before, *body, after]

    def spelled(self, statements):
        lines = []
        for statement in statements:
            statement.spell(self)
            # Locals that indices are spelled with come first.
            lines += [*self.speller.statements, *statement.emit()]
            self.speller.statements = []
        return lines

    def need(self, extension):
        if extension not in self.extensions:
            self.extensions.append(extension)

    def dispatches(self, pushed):
        """Directives; `pushed`: what follows the phase in the push constants."""
        for phase in range(self.phases):
            values = [f"u32 {phase}"] * (self.phases > 1 and self.phase_is_pushed) + pushed
            if values:
                yield f"//! push {', '.join(values)}"
            if self.phases > 1 and not self.phase_is_pushed:
                yield f"//! spec {PHASE_ID} = u32 {phase}"
            yield f"//! dispatch {self.groups} {self.orders.get(phase, '')}".rstrip()

    def file(self):
        # pylint: disable=import-outside-toplevel
        from plant_objects import TooLarge, declarations, directives, push_block
        if sum(of.bytes("std430") for of in self.objects if of.memory == "shared") > MOST_SHARED:
            raise TooLarge
        body = [line for block in self.blocks for line in self.lines_of(block)]
        shader = declarations(self)
        pushed, push_values = push_block(self)
        if self.phases > 1 and not self.phase_is_pushed:
            pushed.append(f"layout(constant_id = {PHASE_ID}) const uint phase = 0;")
        x, y, z = self.group
        tells = {"exclusive": "subgroupShuffleXor(uint(me), 1u)", "first": "subgroupBroadcastFirst(uint(me))",
                 "most": "subgroupMax(uint(me))", "": "uint(me)"}[self.tells]
        team = f"group * {self.teams}u + gl_SubgroupID" if self.full else "group"
        keys, bad, good = zip(("BUG", "1", "0"), *self.bug_words)
        text = "\n".join([
            "#version 450",
            f"// {self.head}",
            "//! optimize" if self.optimize else f"//! {self.debug}",
            f"//! each {' '.join(keys)} = {' '.join(bad)} | {' '.join(good)}",
            f"//! require {FEATURES}", *(f"//! require {r}" for r in self.required),
            f"//! setting check {self.check}",
            f"//! finding {self.finding}",
            *directives(self),
            f"//! buffer totals u32[{self.count * self.phases}] binding 0 scratch = 0",
            *([f"//! buffer looked u32[{LOOKED}] binding 1 = i * 29 % 64"] if self.speller.looked else []),
            *([f"//! subgroup {self.subgroup} full"] if self.full else []),
            *self.dispatches(push_values),
            *self.directives,
            *(f"#extension {e} : require" for e in (*EXTENSIONS, *self.extensions)),
            *(["#extension GL_EXT_shader_64bit_indexing : require", "#pragma shader_64bit_indexing"]
              if self.wide_indices else []),
            f"layout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;",
            "layout(binding = 0) writeonly buffer Totals { uint totals[]; };",
            *(["layout(binding = 1) readonly buffer Looked { uint looked[]; };"] if self.speller.looked else []),
            *shader, *pushed, *self.declarations, *self.speller.functions, *self.functions,
            "void main() {",
            "const uint own = gl_LocalInvocationIndex, group = gl_WorkGroupID.x;",
            f"const {self.own_type} me = {self.own_type}(group * {self.size}u + own);",
            f"const uint team = {team}, other = {tells};",
            # Optimizers make constants of types that this makes the module able to calculate with.
            "uint sum = uint(uint8_t(own) + uint8_t(own)) + uint(uint16_t(own) * uint16_t(own));",
            *body,
            "totals[me] = sum;" if self.phases == 1 else f"totals[uint(me) + phase * {self.count}u] = sum;",
            "}", ""])
        # Optimizers lose lines, so that there are none.
        return text.replace(MARK, "") if self.optimize else text


def loop_of(program, block):
    """Chooses how the block's loop is spelled, if it has one."""
    random, speller = program.random, program.speller
    if block.turns == 1 and not block.varies:
        speller.names.pop("k", None)
        return
    limit = speller.push(block.turns) if random.random() < 0.5 else f"{block.turns}u"
    if block.varies:
        limit = f"({limit} + uint(me) % 3u)"
    if block.more_turns:
        limit = f"({limit} + {block.more_turns}u * BUG)"
    if block.less:
        limit = f"({limit} - {block.less} * BUG)"
    ways = list(loops(random, block.turns + block.more_turns, limit, block.varies or block.more_turns > 0
                      or block.less))
    if block.ascends:
        del ways[1]
    block.loop = random.choice(ways)
    speller.names["k"] = block.loop.spelled


def high_turn(block):
    return block.turns - 1 + (2 if block.varies else 0)


def turn_variable(block):
    return variable("k", 0, high_turn(block)) if high_turn(block) else node(0)
