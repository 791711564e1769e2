# SPDX-License-Identifier: Apache-2.0
"""Statements that have other lines with the bug, and conditions that invocations have in common or not."""

from plant_objects import make_object
from plant_program import MARK, Condition
from plant_table import NEVER_MORE, Planter
from plant_types import Scalar


def planters(check, kind, make, full=False, weight=1, most=64):
    """The row of a function that makes a block with a bug in it, and gives how many findings there are at most."""
    def made(maker):
        maker.program.planted = make(maker)

    def plant(program, kind):  # pylint: disable=unused-argument
        count = program.planted
        return NEVER_MORE if count and program.optimize else count
    return Planter(check, kind, make.__doc__.splitlines()[0].rstrip("."), made, plant, full=full, weight=weight,
                   most=most)


class Site:
    """Lines of which those with the bug differ; functions of the program make both."""
    access = None

    def __init__(self, right, wrong):
        self.right, self.wrong = right, wrong

    def spell(self, program):
        self.both = [side(program) if callable(side) else side for side in (self.right, self.wrong)]

    def emit(self):
        right, wrong = self.both
        return right if right == wrong else ["#if BUG", *wrong, "#else", *right, "#endif"]


class Under:
    """A statement under a condition, which is another one with the bug."""
    access = None

    def __init__(self, statement, right, wrong):
        self.statement, self.conditions = statement, (right.text, wrong.text)

    def spell(self, program):
        self.statement.spell(program)

    def emit(self):
        right, wrong = self.conditions
        inside = self.statement.emit()
        declared = [line for line in inside if line.startswith("coopmat") and "=" not in line]
        rest = [line for line in inside if line not in declared]
        return [*declared, "#if BUG", f"if ({wrong}) {{", "#else", f"if ({right}) {{", "#endif", *rest, "}"]


def marked(line):
    return line + MARK


def calls(block):
    """How many places of the program a line of the block is."""
    return len(block.sites) if block.function else 1


def scopes(program, scope):
    """The invocations of each subgroup, or of each workgroup."""
    found = {}
    for own in program.invocations():
        found.setdefault(own[3] if scope == "Subgroup" else own[2], []).append(own)
    return found.values()


def plain_buffer(maker, count, values, element=Scalar("uint")):
    """A buffer that is nothing but an array, and GLSL of its elements."""
    program = maker.program
    of = make_object(program, maker.types, "storage", "any", element)
    of.rule, of.runtime, of.head, of.tail, of.descriptors, of.unsized = "scalar", True, (), (), 0, False
    of.at = of.spare = 0
    of.dynamic = of.has_range = False
    of.qualifier, of.count, of.values = "coherent ", count, values
    path = f"{of.name}.data" if of.named else of.name
    return lambda index: f"{path}[{index}]"


def diverges(program, condition, scope, k=0, c=0):
    return any(len({bool(condition.of((*own, k, c))) for own in some}) > 1 for some in scopes(program, scope))


def diverging(program, scope):
    """A condition that some have and some have not of one subgroup or workgroup; None if there is none."""
    random, size, lanes = program.random, program.size, program.subgroup if program.full else program.size
    some, one, part = random.randrange(1, size + 1), random.randrange(size), random.randrange(1, lanes + 1)
    odd, looked = random.choice((2, 3, 5)), random.randrange(10, 60)
    program.speller.looked = max(program.speller.looked, 64)
    ways = [Condition(f"own < {some}u", lambda i, l, w, s, j, k, c: l < some),
            Condition(f"own == {one}u", lambda i, l, w, s, j, k, c: l == one),
            Condition(f"own != {one}u", lambda i, l, w, s, j, k, c: l != one),
            Condition(f"own % {lanes}u < {part}u", lambda i, l, w, s, j, k, c: l % lanes < part),
            Condition(f"uint(me) % {odd}u == 0u", lambda i, l, w, s, j, k, c: i % odd == 0),
            Condition(f"looked[own & 63u] < {looked}u", lambda i, l, w, s, j, k, c: (l & 63) * 29 % 64 < looked)]
    random.shuffle(ways)
    return next((way for way in ways if diverges(program, way, scope)), None)


def common(program, scope, always=False):
    """A condition that all of a subgroup or workgroup have, or have not; or `always` have."""
    random, size = program.random, program.size
    pushed = program.speller.push(random.randrange(1, 9))
    ways = [Condition(f"{pushed} != 0u", lambda *values: True),
            Condition(f"own < {size}u", lambda *values: True),
            Condition(f"looked[group] < {64}u", lambda *values: True)]
    program.speller.looked = max(program.speller.looked, 64)
    if program.full and scope == "Subgroup":
        ways.append(Condition("subgroupAny(own < 1000u)", lambda *values: True))
        program.need("GL_KHR_shader_subgroup_vote")
    if not always:
        ways += [Condition("group % 2u == 0u", lambda i, l, w, s, j, k, c: w % 2 == 0),
                 Condition("looked[group & 63u] < 20u", lambda i, l, w, s, j, k, c: (w & 63) * 29 % 64 < 20)]
        if scope == "Subgroup":
            ways += [Condition("team % 2u == 1u", lambda i, l, w, s, j, k, c: s % 2 == 1)] * 2
    return random.choice(ways)
