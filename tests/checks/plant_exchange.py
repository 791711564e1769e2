# SPDX-License-Identifier: Apache-2.0
"""Blocks in which invocations pass each other values through memory, with the barriers that this needs."""

from plant_matrix import MatrixMaker, Shape
from plant_objects import make_object
from plant_order import BARRIERS, SUBGROUP, MatrixTouch, Model, Sync, Touch
from plant_program import Block, Condition, turn_variable
from plant_statements import Filling, Text, calls
from plant_types import ATOMIC, PLAIN, Scalar, Vector, sum_of
from expressions import node  # by plant_access

MOST_BARRIERS = 6
MOST_TRIES = 100
COMPONENTS = ("float16_t", "float", "int8_t", "uint8_t", "int", "uint")


class Unmendable(Exception):
    """Barriers do not make the block right."""


class Exchange:
    """What planters change: the blocks of the dispatches, and which of these have a barrier before them."""

    def __init__(self, blocks, ordered=()):
        self.blocks, self.ordered = blocks, frozenset(ordered)
        self.ordered_with_bug = self.ordered


class ExchangeMaker:
    def __init__(self, maker, memories, matrices=False):
        self.maker, self.program, self.random = maker, maker.program, maker.random
        self.memories, self.matrices = memories, matrices

    def make(self):
        for _ in range(MOST_TRIES):
            kept = len(self.program.objects), len(self.program.blocks)
            block = self.block()
            for _ in range(self.random.randrange(2, 7)):
                self.statement(block)
            try:
                self.mend(block)
                if any(isinstance(s, Sync) for s in block.statements) or self.random.random() < 0.3:
                    self.look(block)
                    self.program.exchange = Exchange([block])
                    return
            except Unmendable:
                pass
            del self.program.objects[kept[0]:], self.program.blocks[kept[1]:]

    def look(self, block):
        """Lets results depend on shared memory, or optimizers leave out the stores to it."""
        shared = [of for of in self.objects if of.memory == "shared"]
        looks = [f"sum += {sum_of(of.element, f'{of.name}[own % {of.count}u]')};" for of in shared]
        # What comes next may use the memory of shared variables anew.
        block.epilogue = [Text("barrier();", *looks, "barrier();")]

    def block(self):
        random, program = self.random, self.program
        block = Block(turns=random.choice((1, 1, 1, 2, 3)), ascends=True)
        if random.random() < 0.3:
            block.condition = program.condition(True)
        if random.random() < 0.25:
            block.function = True
            block.sites = [program.condition(True) if random.random() < 0.3 else Condition()
                           for _ in range(random.choice((1, 2)))]
        program.blocks.append(block)
        self.objects = [self.object(m) for m in self.memories[:1] * random.randrange(1, 3)
                        + tuple(random.sample(self.memories, random.randrange(0, 2)))]
        for of in self.objects:
            if of.memory == "shared":
                block.prologue.append(Filling(of, program.size))
        return block

    def object(self, memory, halves=1):
        """Each workgroup has a part of it, or of each half."""
        random, program = self.random, self.program
        name = random.choice(ATOMIC if random.random() < 0.4 else PLAIN)
        element = Scalar(name)
        if name not in ATOMIC and random.random() < 0.4 and not self.matrices:
            element = Vector(name, random.choice((2, 3, 4)))
        if self.matrices:
            element = Scalar(random.choice(COMPONENTS))
        of = make_object(program, self.maker.types, memory, "any", element)
        if memory != "shared":
            of.qualifier = "coherent "
        of.size_id = 0
        if self.matrices and memory != "shared":
            of.rule, of.reference_align, of.head, of.tail, of.descriptors, of.unsized = "std430", 16, (), (), 0, False
        of.chosen = random.randrange(of.descriptors or 1)
        of.part = program.size * random.choice((1, 1, 2)) + random.choice((0, 0, 1, 8))
        if self.matrices:
            self.shape_tiles(of)
        of.count = of.part * (1 if memory == "shared" else program.groups) * halves
        return of

    def shape_tiles(self, of):
        """Lines that all begin where matrices may."""
        size = self.random.choice(((16, 16), (16, 16), (8, 8)))
        of.tile_shape = Shape(of.element.name, *size, "Accumulator", "Subgroup")
        of.unit = 16 // of.tile_shape.bytes()
        of.stride = size[1] + self.random.choice((0, 0, of.unit))
        of.tile = of.stride * size[0]
        of.part = of.tile * self.program.teams

    def part_of(self, of, number):
        """A number within the workgroup's part, as an index."""
        return number if of.memory == "shared" or self.program.groups == 1 else \
            self.program.variables["w"] * of.part + number

    def own(self, of, block):
        """Another element for each invocation of the workgroup."""
        random, program = self.random, self.program
        l, size = program.variables["l"], program.size
        ways = [l, l, node(size - 1) - l]
        if of.part >= size + 1:
            ways.append(l + 1)
        if of.part >= 2 * size:
            ways += [l * 2, l * 2 + 1, l + size]
            if block.turns > 1:
                ways += [l + (turn_variable(block) % 2) * size] * 3
        if size & (size - 1) == 0 and size > 1:
            ways.append(l ^ random.choice([m for m in (1, 2, 4, size // 2) if m < size]))
        return self.part_of(of, random.choice(ways))

    def guard(self):
        size = self.program.size
        some, one = self.random.randrange(1, size + 1), self.random.randrange(size)
        return self.random.choice((
            Condition(), Condition(), Condition(),
            Condition(f"own < {some}u", lambda i, l, w, s, j, k, c: l < some),
            Condition("own % 2u == 0u", lambda i, l, w, s, j, k, c: l % 2 == 0),
            Condition(f"own == {one}u", lambda i, l, w, s, j, k, c: l == one)))

    def statement(self, block):
        random, of = self.random, self.random.choice(self.objects)
        name = self.program.name("")
        if self.matrices and random.random() < 0.6:
            self.matrix(block, of, name)
            return
        kind = random.choice(("load", "load", "store", "store", "update"))
        if of.element.name in ATOMIC and not isinstance(of.element, Vector) and random.random() < 0.4:
            kind = "atomic"
        guard = self.guard()
        if kind in ("load", "atomic") or "==" in guard.text and "%" not in guard.text:
            number = self.part_of(of, self.within(of, block))
        else:
            number = self.own(of, block)
        component = None
        if isinstance(of.element, Vector) and random.random() < 0.4:
            component = random.randrange(of.element.size)
        touch = Touch(of, kind, number, guard, component, random.randrange(50), name)
        touch.index_type = random.choice(block.index_types)
        block.statements.append(touch)

    def within(self, of, block):
        """Any number within a part: often another invocation's place."""
        random, size, l = self.random, self.program.size, self.program.variables["l"]
        ways = [self.maker.index(block, of.part), (l + random.randrange(1, 40)) % size, node(size - 1) - l, l,
                node(random.randrange(of.part))]
        if len(block.sites) > 1:
            ways.append((l + calls(block)) % size)
        if block.turns > 1:
            ways.append((l + turn_variable(block)) % size)
        return random.choice(ways)

    def matrix(self, block, of, name):
        if not self.program.extensions:
            MatrixMaker(self.maker)
        random, program = self.random, self.program
        team = program.variables["s"] if program.groups == 1 else program.variables["s"] % program.teams
        kind = random.choice(("load", "store"))
        if kind == "load":
            team = random.choice((team, node(program.teams - 1) - team, node(random.randrange(program.teams))))
        touch = MatrixTouch(of, kind, of.tile_shape, self.part_of(of, team * of.tile), of.stride, random.random() < 0.7,
                            f"m{name}")
        touch.unit = of.unit
        block.statements.append(touch)

    def mend(self, block):
        """Puts barriers where the order of accesses needs some."""
        for _ in range(MOST_BARRIERS):
            model = Model(self.program).run([block], False)
            if model.outside:
                raise Unmendable
            wrong = [sites for _, sites in model.races | model.doubtful]
            if not wrong:
                return
            before, after = min(wrong, key=lambda p: (block.statements.index(p[1][0]), block.statements.index(p[0][0])))
            at = block.statements.index(after[0])
            if before[0] is after[0] and block.turns == 1 and len(block.sites) == 1 or \
                    any(isinstance(s, Sync) and s.barrier.level != SUBGROUP for s in block.statements[at - 1:at]):
                raise Unmendable
            block.statements.insert(at, Sync(self.random.choice(self.barriers(after[0].object.memory))))
        raise Unmendable

    def barriers(self, memory):
        return [b for b in BARRIERS if (b.shared if memory == "shared" else b.buffers)
                and (b.level != SUBGROUP or self.program.full)]


class CommandsMaker(ExchangeMaker):
    """Dispatches one after the other that use the same buffers."""

    def __init__(self, maker):
        super().__init__(maker, ("storage", "storage", "address"))

    def make(self):
        random, program = self.random, self.program
        program.phases = random.choice((2, 2, 3, 4))
        for block in program.blocks:
            block.phase = random.randrange(program.phases)
        for _ in range(MOST_TRIES):
            kept = len(program.objects), len(program.blocks)
            blocks = [self.block_of(phase) for phase in range(program.phases)]
            ordered = self.ordered(blocks)
            if ordered is not None:
                program.exchange = Exchange(blocks, ordered)
                program.orders = {p: "unordered" for p in range(1, program.phases) if p not in ordered}
                return
            del program.objects[kept[0]:], program.blocks[kept[1]:]

    def block_of(self, phase):
        random = self.random
        if phase == 0:
            self.objects = [self.object(random.choice(self.memories), 2) for _ in range(random.randrange(1, 4))]
        block = Block(turns=random.choice((1, 1, 2)), ascends=True, phase=phase)
        self.program.blocks.append(block)
        for _ in range(random.randrange(1, 4)):
            self.statement(block)
        return block

    def part_of(self, of, number):
        number = super().part_of(of, number)
        return number + of.count // 2 if self.random.random() < 0.3 else number

    def ordered(self, blocks):
        """Barriers between commands where they are needed, and some more; None if that is not enough."""
        ordered = {p for p in range(1, len(blocks)) if self.random.random() < 0.2}
        for _ in range(len(blocks)):
            model = Model(self.program, ordered).run(blocks, False)
            wrong = model.races | model.doubtful
            if model.outside or any(kind != "commands" for kind, _ in wrong):
                return None
            if not wrong:
                return ordered
            late = {b for _, (_, after) in wrong for b, block in enumerate(blocks) if after[0] in block.statements}
            ordered.add(min(late))
        return None
