# SPDX-License-Identifier: Apache-2.0
"""Kernel files (tests/kernels/README.md) with one piece of work each, spelled at random.

Each invocation sums what it reads in a few turns of a loop and writes it to a place of its own. Where it
reads and writes, how lanes come to their numbers, the loop, what is skipped and what the memory is are
chosen independently of each other.
"""

import re
from dataclasses import dataclass

from expressions import LITERAL, TYPES_32, Speller, literal, looked, node, variable

# GLSL's type of an element, of a vector of N of it, and the kernel file's.
ELEMENTS = {"uint": ("uvec", "u32"), "float": ("vec", "f32"), "uint8_t": ("u8vec", "u8"),
            "uint16_t": ("u16vec", "u16"), "float16_t": ("f16vec", "f16"), "uint64_t": ("u64vec", "u64")}
GROUPS = ((32, 1, 1), (64, 1, 1), (256, 1, 1), (8, 8, 1), (16, 8, 1), (4, 4, 4), (24, 1, 1), (48, 2, 1), (96, 1, 1),
          (1000, 1, 1))
UNWRITTEN = 7
EXTENSIONS = ("GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_16bit_storage", "GL_EXT_shader_8bit_storage",
              "GL_EXT_scalar_block_layout", "GL_KHR_shader_subgroup_basic")
FEATURES = ("shaderFloat16 shaderInt8 shaderInt16 shaderInt64 storageBuffer16BitAccess storageBuffer8BitAccess "
            "scalarBlockLayout")


@dataclass
class Place:
    """Which element, by the invocation's number `i` and the turn `k`."""
    node: object
    even: bool  # lanes are side by side or alike, in runs of 16 at least: nothing has to gather


def places(random, i, k, turns):
    stride = random.choice((1, 3, 16, 100, 128))
    row = random.choice((16, 32, 64, 256))
    odd = random.choice((17, 24, 100))
    shift = random.randrange(40)
    yield Place(i + k * stride + shift, True)
    yield Place(i + k * i.high.bit_length() * 64, True)
    yield Place(i // row * (row * random.choice((1, 2, 3))) + i % row + k * row * 2, True)
    yield Place(i // odd * (odd + random.choice((0, 1, 4))) + i % odd + k, False)
    yield Place(i // row + k * 5, True)
    yield Place(i // odd + k, False)
    yield Place(i * max(turns, 1) + k, False)
    yield Place(i * stride + k * 2, stride == 1)
    yield Place(node(i.high) - i + k * stride, False)
    yield Place((i + k).clamped(shift, i.high - 1), False)
    yield Place((i * 4 + shift * 4) // 4 + k, True)
    yield Place((i ^ random.choice((1, 3, 16, 33))) + k * 64, False)
    yield Place(i % row + k * row, True)
    # Two numbers of a subgroup go on evenly, more need not.
    yield Place(looked(i // row) * row + i % row + k * row, row >= 32)
    yield Place(looked(i // odd) * odd + i % odd + k, False)
    yield Place(looked(i) + k * 64, False)


def neighbours(random, l):
    """Whose element an invocation takes, of those of its workgroup."""
    row = random.choice((4, 16, 32))
    yield l
    yield node(l.high) - l
    yield l // row * row
    if l.high % row == row - 1:
        yield l // row * row + (l % row + random.randrange(row)) % row
        yield l // row * row + (node(row - 1) - l % row)


@dataclass
class Loop:
    text: str  # with BODY in it
    spelled: tuple  # the GLSL of `k` and its type


def loops(random, turns, limit, varies):
    """`turns`: the number; `limit`: its GLSL as uint, which has another one for each invocation if it `varies`."""
    t = random.choice(TYPES_32)
    end = limit if t == "uint" else f"{t}({limit})"
    zero, one = LITERAL[t].format(0), LITERAL[t].format(1)
    yield Loop(f"for ({t} k = {zero}; k < {end}; ++k) {{ BODY }}", ("k", t))
    yield Loop(f"for ({t} k = {end}; k-- > {zero};) {{ BODY }}", ("k", t))
    yield Loop(f"for (int k = -int({limit}); k < 0; ++k) {{ BODY }}", (f"(k + int({limit}))", "int"))
    yield Loop(f"{t} k = {zero}; while (true) {{ if (k >= {end}) break; BODY k += {one}; }}", ("k", t))
    yield Loop(f"{t} k = {zero}; if ({end} > {zero}) {{ do {{ BODY ++k; }} while (k < {end}); }}", ("k", t))
    far = literal(random.choice((0x7FFFFFFE, 0x80000000, 0xFFFFFFFC)), t)
    yield Loop(f"for ({t} k = {far}; k != {far} + {end}; ++k) {{ BODY }}", (f"(k - {far})", t))
    yield Loop(f"for (uint k = 0u; k < {limit} * 6u; k += 6u) {{ BODY }}", ("(k / 6u)", "uint"))
    if turns % 4 == 0 and not varies:
        yield Loop(f"for ({t} a = {zero}; a < {end} / 4; ++a) for ({t} b = {zero}; b < 4; ++b) {{ BODY }}",
                   ("(a * 4 + b)", t))


class Kernel:
    def __init__(self, random):
        self.random = random
        self.speller = Speller(random, random.choice((0.0, 0.1, 0.25)))
        self.group = random.choice(GROUPS)
        self.size = self.group[0] * self.group[1] * self.group[2]
        self.groups = random.choice((2, 5)) if self.size < 500 else 2
        self.count = self.size * self.groups
        self.base = random.choice((0, 0, 0, 3))

    def invocation(self):
        """GLSL of the invocation's number, a uint."""
        x, y, z = self.group
        group = f"(gl_WorkGroupID.x - {self.base}u)" if self.base else "gl_WorkGroupID.x"
        within = ["gl_LocalInvocationIndex"]
        if (y, z) == (1, 1):
            within.append("gl_LocalInvocationID.x")
            if not self.base:
                within.append(None)
        else:
            within.append(f"(gl_LocalInvocationID.z * {y}u + gl_LocalInvocationID.y) * {x}u + gl_LocalInvocationID.x")
        if self.size % 32 == 0 and (x & (x - 1)) == 0:
            within.append("gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID")
        chosen = self.random.choice(within)
        return "gl_GlobalInvocationID.x" if chosen is None else f"{group} * {self.size}u + {chosen}"

    def block(self, write):
        """The statements that `write`, which returns the last ones, needs."""
        outer, self.speller.statements = self.speller.statements, []
        last = write()
        inner, self.speller.statements = self.speller.statements, outer
        return " ".join([*inner, last])

    def file(self):
        random, speller = self.random, self.speller
        turns = random.choice((0, 1, 4, 8, 13, 33))
        staged = random.random() < 0.2  # through shared memory
        varies = random.random() < 0.2 and not staged  # from invocation to invocation
        longest = turns + 2 if varies else turns
        i, k = variable("i", 0, self.count - 1), variable("k", 0, max(longest - 1, 0))
        place = random.choice(tuple(places(random, i, k, longest)))

        name = random.choice(TYPES_32)
        speller.names["i"] = ("me", name)
        guard, guard_model = self.guard(name)
        limit, limit_model = self.limit(turns, varies)
        loop = random.choice(tuple(loops(random, turns, limit, varies)))
        speller.names["k"] = loop.spelled
        turn_guard, turn_model = ("", "1") if staged else self.turn_guard(loop)
        reading = Reading(random, place.node.high + 1)
        value = f"sum(k, 0, {limit_model}, {turn_model} ? {reading.model(place.node)} : 0)"
        if staged:
            l = variable("l", 0, self.size - 1)
            speller.names["l"] = ("gl_LocalInvocationIndex", "uint")
            other = random.choice(tuple(neighbours(random, l)))
            inner = self.block(lambda: reading.staged(speller, place.node, l, other))
            from_model = re.sub(r"\bl\b", f"(i % {self.size})", other.model())
            value = re.sub(r"\bi\b", f"(i / {self.size} * {self.size} + {from_model})", value)
        else:
            inner = self.block(lambda: reading.statements(speller, place.node))
        if turn_guard:
            inner = f"if ({turn_guard}) {{ {inner} }}"
        mirrored = random.random() < 0.2
        out = node(self.count - 1) - i if mirrored else i

        summing = f"uint sum = 0u; {loop.text.replace('BODY', inner)}"
        store = self.block(lambda: f"target[{speller.spell(out, random.choice(TYPES_32))}] = sum;")
        if staged:
            work = f"{summing} if ({guard}) {{ {store} }}"
        elif random.random() < 0.4:
            work = f"if (!({guard})) return; {summing} {store}"
        else:
            work = f"if ({guard}) {{ {summing} {store} }}"
        expected = f"{guard_model} ? {value} : {UNWRITTEN}"
        if mirrored:
            expected = re.sub(r"\bi\b", f"({self.count - 1} - i)", expected)

        robust = random.random() < 0.15
        bounds = []
        x, y, z = self.group
        is_even = place.even and self.size % 32 == 0 and (x & (x - 1) == 0 or y == 1)
        # Parts of a vector that are read one by one are no vector with bounds of their own, or if they are
        # small and AVX2 has to test.
        is_small = reading.stored[1:] in ("8", "16")
        is_even = is_even and not (reading.form == "parts" and (robust or is_small))
        if is_even and not (mirrored or varies or staged or turn_guard or speller.chooses):
            bounds = ['//! remarks "gather" 0 "scatter" 0 except "checked shapes"']
        pushed = range(len(speller.pushed))
        words = ", u32 ".join(str(p) for p in speller.pushed)
        return "\n".join([
            "#version 450", *(f"#extension {e} : require" for e in EXTENSIONS),
            f"//! require {FEATURES}",
            f"//! buffer source {reading.stored}[{reading.elements}] binding 0 = (i * 37 + 11) % 251",
            f"//! buffer target u32[{self.count}] binding 1 = {UNWRITTEN}",
            *([f"//! buffer looked u32[{speller.looked}] binding 2 = i * 29 % 64"] if speller.looked else []),
            *([f"//! push u32 {words}"] if pushed else []),
            *(["//! robust"] if robust else []),
            f"//! subgroup {random.choice((8, 16, 32, 32, 64))} full",
            *bounds,
            f"//! dispatch {self.groups}" + (f" 1 1 base {self.base} 0 0" if self.base else ""),
            f"//! expect target = {expected}",
            f"layout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;",
            *(["layout(push_constant) uniform Pushed {", *(f"  uint pushed{p};" for p in pushed), "};"] if pushed else []),
            *reading.declarations(),
            *(["layout(binding = 2) readonly buffer Looked { uint looked[]; };"] if speller.looked else []),
            *([f"shared {reading.type} tile[{self.size}];"] if staged else []),
            "layout(binding = 1) buffer To { uint target[]; };",
            *speller.functions,
            "void main() {",
            f"  const {name} me = {name}({self.invocation()});",
            f"  {work}",
            "}", ""])

    def guard(self, name):
        """Which invocations do something at all, as GLSL and for the kernel file."""
        n = self.random.choice((self.count, self.count, self.count - 5, self.count // 2))
        spelled, model = f"me < {self.speller.plain(node(n), name)}", f"i < {n}"
        if self.random.random() < 0.2:
            zero, lanes = LITERAL[name].format(0), LITERAL[name].format(32)
            spelled, model = f"{spelled} && me % {lanes} != {zero}", f"{model} && i % 32 != 0"
        return spelled, f"({model})"

    def limit(self, turns, varies):
        text = self.speller.push(turns) if self.random.random() < 0.5 else f"{turns}u"
        return (f"({text} + uint(me) % 3u)", f"({turns} + i % 3)") if varies else (text, str(turns))

    def turn_guard(self, loop):
        k = f"uint({loop.spelled[0]})"
        return self.random.choice((("", "1"), ("", "1"), ("", "1"), (f"{k} % 3u != 1u", "k % 3 != 1"),
                                   (f"(uint(me) + {k}) % 5u != 0u", "(i + k) % 5 != 0")))


class Reading:
    """What is read at a place: its type and the memory."""

    def __init__(self, random, length):
        self.random = random
        self.element = random.choice(tuple(ELEMENTS))
        vector, self.stored = ELEMENTS[self.element]
        self.components = random.choice((1, 1, 1, 2, 4))
        self.type = vector + str(self.components) if self.components > 1 else self.element
        self.form = random.choice(("array", "array", "member", "function", "parts"))
        length += -length % 4 if self.form == "member" else 0
        self.elements = length * self.components

    def declarations(self):
        kind = self.random.choice(("readonly buffer", "readonly buffer", "buffer"))
        if self.form == "member":
            yield f"struct Row {{ {self.type} of[4]; }};"
            yield f"layout(scalar, binding = 0) {kind} From {{ Row rows[]; }};"
        elif self.form == "parts":
            yield f"layout(scalar, binding = 0) {kind} From {{ {self.element} source[]; }};"
        else:
            yield f"layout(scalar, binding = 0) {kind} From {{ {self.type} source[]; }};"
        if self.form == "function":
            yield f"{self.type} read(uint at) {{ return source[at]; }}"

    def read(self, speller, place):
        """GLSL of each component."""
        index = speller.spell(place, "uint" if self.form == "function" else self.random.choice(TYPES_32))
        parts = range(self.components)
        if self.form == "parts":
            values = [f"source[({index}) * {self.components} + {c}]" for c in parts]
        else:
            whole = {"array": "source[{}]", "member": "rows[({}) / 4].of[({}) % 4]", "function": "read({})"}[self.form]
            values = [speller.local(whole.format(index, index), self.type)]
            if self.components > 1:
                values = [f"{values[0]}.{'xyzw'[c]}" for c in parts]
        return values

    def statements(self, speller, place):
        return self.summed(self.read(speller, place))

    def staged(self, speller, place, own, other):
        """Each invocation puts what it reads to `own`, and sums what there is at `other`."""
        values = ", ".join(self.read(speller, place))
        at, of = (speller.spell(n, self.random.choice(TYPES_32)) for n in (own, other))
        taken = "xyzw"[:self.components] if self.components > 1 else ""
        parts = [f"tile[{of}].{c}" for c in taken] or [f"tile[{of}]"]
        return f"barrier(); tile[{at}] = {self.type}({values}); barrier(); {self.summed(parts)}"

    def summed(self, values):
        if self.random.random() < 0.3:
            values.reverse()
        return " ".join(f"sum += uint({v});" for v in values)

    def model(self, place):
        at = place.model()
        return " + ".join(f"source[({at}) * {self.components} + {c}]" for c in range(self.components))
