# SPDX-License-Identifier: Apache-2.0
"""Statements that access objects, and blocks of them."""

from plant_access import Access, in_range, readings, values_of
from plant_objects import make_object, make_room, pointer_text
from plant_program import MARK, Block, high_turn, turn_variable
from plant_types import ATOMIC, Array, Scalar, Vector, constructed, fill, sum_of
from expressions import TYPES_32, looked, node  # by plant_access

READ = ("storage", "storage", "storage", "uniform", "address", "address", "push", "private", "function", "shared",
        "constant")
WRITTEN = ("storage", "storage", "address")


class Text:
    """Lines that are not changed."""

    def __init__(self, *lines):
        self.lines = lines
        self.access = None

    def spell(self, program):
        pass

    def emit(self):
        return list(self.lines)


class Filling(Text):
    """Sets all of an object; all invocations of a workgroup together where it is theirs."""

    def __init__(self, of, step=0):
        super().__init__()
        self.of, self.step = of, step

    def emit(self):
        of = self.of
        if not self.step:
            declared = [f"{of.variable()};"] if of.memory == "function" else []
            inner = fill(of.element, f"{of.name}[q]", "q", 1)
            return [*declared, f"for (uint q = 0u; q < {of.length()}; ++q) {{ {inner} }}"]
        inner = fill(of.element, f"{of.name}[q]", "q", 1)
        return [f"for (uint q = own; q < {of.length()}; q += {self.step}u) {{ {inner} }}", "barrier();"]


class Statement:
    """One access of each invocation, which may have a guard: the outer index is below a number."""

    def __init__(self, access, number, block):
        self.access = access
        self.block = block
        self.number = number  # of temporaries
        self.guard = None
        self.wrong = None  # made by a planter: lines(program, statement), for the text with the bug
        self.marked = False  # the bug is elsewhere, but found here
        self.value = "1u"

    def executed(self, program, bug=False):
        """The values of VARIABLES of those who come here, the guard's being met."""
        below = values_of(self.access.numbers()[0]) if self.guard is not None else None
        for values in program.executed(self.block, bug):
            if below is None or readings(below(*values), self.access.index_type)[1] < self.guard:
                yield values

    def spell(self, program):
        access, random = self.access, program.random
        access.spell(program.speller)
        if access.object.memory == "address":
            access.pointer_text = pointer_text(program, access.object)
        self.value = random.choice(("uint(me)", "own", "7u", "sum", "other"))
        self.operation = random.choice(("Add", "Max", "Or", "Exchange", "CompSwap"))
        self.guard_text = ""
        if self.guard is not None:
            self.guard_text = f"{access.texts[0]} < {self.guard}{'u' if access.index_type.startswith('u') else ''}"
        self.bad_lines = None
        if self.wrong:
            right, program.speller.statements = program.speller.statements, []
            bad = self.wrong(program, self)
            self.bad_lines = [*program.speller.statements, *bad]
            program.speller.statements = right

    def emit(self):
        right = self.lines(self.access.path(), self.guard_text, self.marked)
        if self.bad_lines is None:
            return right
        return ["#if BUG", *self.bad_lines, "#else", *right, "#endif"]

    def changed(self, texts=None, pointer=None):
        """The statement with other indices, or another address."""
        return self.lines(self.access.path(texts, pointer), self.guard_text, True)

    def lines(self, path, guard, marked):
        leaf, kind = self.access.leaf, self.access.kind
        mark = MARK if marked else ""
        if kind == "load":
            temporary = f"x{self.number}"
            inside = [f"const {leaf.text()} {temporary} = {path};{mark}", f"sum += {sum_of(leaf, temporary)};"]
        elif kind == "store":
            inside = [f"{path} = {constructed(leaf, self.value)};{mark}"]
        else:
            name = leaf.name
            last = f"{name}(1), {name}(2)" if self.operation == "CompSwap" else f"{name}(1)"
            inside = [f"atomic{self.operation}({path}, {last});{mark}"]
        return [f"if ({guard}) {{", *inside, "}"] if guard else inside


class Maker:
    """Makes blocks of statements about any memory."""

    def __init__(self, program, types):
        self.program, self.random, self.types = program, program.random, types
        program.maker = self

    def block(self, uniform=False):
        random, program = self.random, self.program
        block = Block(turns=random.choice((1, 1, 2, 3, 5)))
        block.varies = block.turns > 1 and not uniform and random.random() < 0.2
        if random.random() < 0.4:
            block.condition = program.condition(uniform)
        if random.random() < 0.35:
            block.function = True
            block.sites = [program.condition(uniform) if random.random() < 0.3 else type(block.condition)()
                           for _ in range(random.choice((1, 2, 2, 3)))]
        if program.wide_indices:
            block.index_types = (*TYPES_32, "uint64_t", "int64_t")
        program.blocks.append(block)
        return block

    def numbers(self, block, uniform=False):
        """Some of the numbers that the block's invocations have."""
        variables = self.program.variables
        chosen = [variables[v] for v in (("w",) if uniform else ("i", "i", "l", "w", "j"))]
        if high_turn(block):
            chosen += [turn_variable(block)] * 2
        if len(block.sites) > 1:
            chosen.append(calls(block))
        return chosen

    def index(self, block, limit=None, uniform=False):
        """A number at random; below `limit`, or of some thousand."""
        random = self.random
        chosen = self.numbers(block, uniform)
        number = random.choice(chosen)
        for _ in range(random.randrange(3)):
            number = self.changed(number, chosen)
        if random.random() < 0.1:
            number = node(random.randrange(limit or 40))
        if limit is None:
            return number if number.high < 3000 else number % random.choice((64, 100, 1000))
        return in_range(random, number, limit)

    def changed(self, number, chosen):
        random = self.random
        ways = [lambda: number + random.randrange(1, 20),
                lambda: number * random.choice((2, 3, 4, 7)),
                lambda: number + random.choice(chosen),
                lambda: number + random.choice(chosen) * random.choice((1, 2, 16, 33)),
                lambda: node(number.high) - number,
                lambda: node(number.high + random.randrange(5)) - number,
                lambda: number // random.choice((2, 3, 8)),
                lambda: number % random.choice((3, 8, 10, 16)),
                lambda: number ^ random.choice((1, 2, 5)),
                lambda: number.clamped(0, max(number.high // 2, 1)),
                lambda: looked(number % random.choice((16, 64)))]
        result = random.choice(ways)()
        return result if result.high < 3000 else number

    def own(self, block):
        """Another number for each invocation, turn and call."""
        random, n = self.random, self.program.count
        number, total = self.program.variables["i"], n
        if high_turn(block):
            number, total = number + turn_variable(block) * total, total * (high_turn(block) + 1)
        if len(block.sites) > 1:
            number, total = number + calls(block) * total, total * len(block.sites)
        if random.random() < 0.3:
            number = node(total - 1) - number
        if random.random() < 0.3:
            number = number * random.choice((2, 3)) + random.randrange(4)
        return number

    def read_object(self, memory):
        same = [o for o in self.program.objects if o.memory == memory and o.role == "read" and o.count
                and memory in ("storage", "uniform", "address", "push")]
        if same and self.random.random() < 0.4:
            return self.random.choice(same)
        return make_object(self.program, self.types, memory)

    def access(self, block, of, kind, outer):
        random = self.random
        access = Access(of, kind)
        access.index_type = random.choice(block.index_types)
        access.choose(outer, lambda count: self.index(block, count), random)
        if of.descriptors:
            # In a loop of different turns, what turn it is may differ.
            access.nonuniform = random.random() < 0.7 or block.varies
            access.descriptor = self.index(block, of.descriptors, uniform=not access.nonuniform)
        return access

    def statement(self, block, access):
        statement = Statement(access, self.program.name(""), block)
        block.statements.append(statement)
        return statement

    def load(self, block, memory=None):
        random = self.random
        memory = memory or random.choice(READ)
        of = self.read_object(memory)
        limit = {"push": random.randrange(2, 7), "private": 24, "function": 24, "shared": 40, "constant": 12,
                 "uniform": 60}.get(memory)
        if memory in ("private", "function", "shared") and not of.count:
            of.count = random.randrange(1, limit)
            self.prepare(block, of)
        outer = self.index(block, of.count or limit)
        if memory in ("storage", "uniform", "address", "push", "constant"):
            make_room(of, outer.high + 1, random)
        statement = self.statement(block, self.access(block, of, "load", outer))
        self.put_guard(statement)
        if memory in ("private", "function") and random.random() < 0.5:
            self.statement(block, self.access(block, of, "store", self.index(block, of.count)))
        return statement

    def put_guard(self, statement):
        """Lets some not come, so that what they would access need not be there."""
        of, outer = statement.access.object, statement.access.steps[0].number
        if len(of.accesses) == 1 and of.memory in ("storage", "address") and outer.high > outer.low + 4 \
                and self.random.random() < 0.3:
            statement.guard = of.count = max(outer.high * 2 // 3, 1)

    def prepare(self, block, of):
        if of.memory == "function":
            block.inner.append(Filling(of))
        elif of.memory == "private":
            block.prologue.append(Filling(of))
        else:
            block.prologue.append(Filling(of, self.program.size))
            block.epilogue = [Text("barrier();")]

    def store(self, block, memory=None):
        of = make_object(self.program, self.types, memory or self.random.choice(WRITTEN), "write")
        outer = self.own(block)
        make_room(of, outer.high + 1, self.random)
        statement = self.statement(block, self.access(block, of, "store", outer))
        self.put_guard(statement)
        return statement

    def atomic(self, block, memory=None):
        random = self.random
        memory = memory or random.choice(("storage", "storage", "address", "shared"))
        name = random.choice(ATOMIC)
        element = Scalar(name) if random.random() < 0.6 or memory == "address" else Vector(name, 4)
        if random.random() < 0.3:
            element = Array(element, random.randrange(2, 5))
        of = make_object(self.program, self.types, memory, "any" if memory == "shared" else "atomic", element)
        if memory == "shared":
            of.count = random.randrange(1, 20)
            self.prepare(block, of)
        outer = self.index(block, of.count or None)
        if memory != "shared":
            make_room(of, outer.high + 1, random)
        statement = self.statement(block, self.access(block, of, "atomic", outer))
        self.put_guard(statement)
        return statement


def calls(block):
    from expressions import variable  # pylint: disable=import-outside-toplevel
    return variable("c", 0, len(block.sites) - 1)
