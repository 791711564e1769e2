# SPDX-License-Identifier: Apache-2.0
"""Accesses and barriers of blocks, and which accesses nothing orders.

A block whose statements are `Touch`, `MatrixTouch` and `Sync` is executed by a model: an access is ordered before
another of the same workgroup by a barrier between them that orders its memory, and of another dispatch by a
barrier between commands; workgroups are never ordered. A statement may have a change, which is what the text with
BUG has.
"""

from dataclasses import dataclass

from plant_access import values_of
from plant_objects import pointer_text
from plant_program import MARK, Condition
from plant_types import Vector, constructed, sum_of

HARMLESS = {("load", "load"), ("atomic", "atomic")}
WORKGROUP, SUBGROUP, NOBODY = "workgroup", "subgroup", "nobody"


@dataclass(frozen=True)
class Barrier:
    """Whom it lets wait, the memory that it orders, and its GLSL."""
    level: str
    shared: bool
    buffers: bool
    text: str


def controlled(storage, semantics="gl_SemanticsAcquireRelease"):
    return f"controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, {storage}, {semantics});"


BUFFER, SHARED = "gl_StorageSemanticsBuffer", "gl_StorageSemanticsShared"
BARRIERS = (
    Barrier(WORKGROUP, True, False, "barrier();"),
    Barrier(WORKGROUP, True, False, "memoryBarrierShared(); barrier();"),
    Barrier(WORKGROUP, True, False, controlled(SHARED)),
    Barrier(WORKGROUP, True, True, controlled(f"{SHARED} | {BUFFER}")),
    Barrier(WORKGROUP, True, True, "memoryBarrierBuffer(); barrier();"),
    Barrier(WORKGROUP, True, True, "memoryBarrier(); barrier();"),
    Barrier(WORKGROUP, True, True, "groupMemoryBarrier(); barrier();"),
    Barrier(WORKGROUP, False, True, controlled(BUFFER)),
    Barrier(SUBGROUP, True, True, "subgroupBarrier();"),
)
GONE = Barrier(NOBODY, False, False, "")
WEAK = (
    Barrier(WORKGROUP, False, False, controlled("0", "0")),
    Barrier(NOBODY, False, False, "memoryBarrierShared();"),
    Barrier(NOBODY, False, False, "memoryBarrierBuffer();"),
    Barrier(NOBODY, False, False, "groupMemoryBarrier();"),
)


class Step:
    """A statement of a block of accesses."""
    access = None  # plant_memory.py is about others

    def __init__(self):
        self.change = None  # of the text with the bug

    def lines_of_both(self, right, wrong):
        return right if right == wrong else ["#if BUG", *wrong, "#else", *right, "#endif"]


class Sync(Step):
    def __init__(self, barrier):
        super().__init__()
        self.barrier = barrier

    def spell(self, program):
        if "Scope" in self.barrier.text or self.change and "Scope" in self.change.text:
            program.need("GL_KHR_memory_scope_semantics")

    def emit(self):
        wrong = self.change or self.barrier
        return self.lines_of_both([b.text for b in (self.barrier,) if b.text], [b.text for b in (wrong,) if b.text])

    def run(self, model, bug, k, c):  # pylint: disable=unused-argument
        model.wait(self.change if bug and self.change else self.barrier)


@dataclass(frozen=True)
class Shift:
    """A change of an index, by so much, for all or for one invocation of all."""
    by: int
    lane: int = None


@dataclass(frozen=True)
class Plain:
    """A change of an atomic operation to a load and a store."""


@dataclass(frozen=True)
class Unguarded:
    """A change that leaves out the condition."""


class Touch(Step):
    """A load, a store, an atomic operation, or a load and a store ("update"), of each invocation that `guard` lets."""

    def __init__(self, of, kind, number, guard=None, component=None, salt=0, name=""):
        super().__init__()
        self.object, self.kind, self.number, self.component = of, kind, number, component
        self.guard = guard or Condition()
        self.salt = salt  # of values that are stored
        self.name = name
        self.marked = False
        self.index_type = "uint"
        self.value = values_of(number)

    def leaf(self):
        of = self.object.element
        return of if self.component is None else type(of).__mro__[1](of.name)

    def components(self):
        element = self.object.element
        size = element.size if isinstance(element, Vector) else 1
        return range(size) if self.component is None else (self.component,)

    def spell(self, program):
        speller = program.speller
        self.text = speller.spell(self.number, self.index_type)
        root = self.object.root()
        if self.object.memory == "address":
            root = pointer_text(program, self.object)
        if self.object.descriptors:
            root += f"[{self.object.chosen}]"
        self.path = f"{root}.{self.object.data()}" if root else self.object.data()
        self.way = program.random.choice(("Add", "Max", "Or", "Xor", "Exchange"))
        if isinstance(self.change, Shift):
            by = self.change.by
            self.by = f"uint({speller.opaque(by)})" if program.random.random() < 0.4 else f"{by}u"

    def emit(self):
        return self.lines_of_both(self.lines(None), self.lines(self.change))

    def lines(self, change):
        index = f"uint({self.text})"
        if isinstance(change, Shift):
            wrong = f"{index} + {self.by}"
            index = wrong if change.lane is None else f"uint(me) == {change.lane}u ? {wrong} : {index}"
        path = f"{self.path}[{index}]"
        if self.component is not None:
            path += f"[{self.component}]"
        leaf, mark, kind = self.leaf(), MARK if self.marked else "", self.kind
        if isinstance(change, Plain):
            kind = "update"
        if kind == "load":
            inside = [f"const {leaf.text()} x{self.name} = {path};{mark}", f"sum += {sum_of(leaf, f'x{self.name}')};"]
        elif kind == "store":
            inside = [f"{path} = {constructed(leaf, f'uint(me) * 3u + {self.salt}u')};{mark}"]
        elif kind == "update":
            inside = [f"const {leaf.text()} x{self.name} = {path};{mark}", f"sum += {sum_of(leaf, f'x{self.name}')};",
                      f"{path} = x{self.name} + {leaf.text()}(1);{mark}"]
        else:
            inside = [f"atomic{self.way}({path}, {leaf.name}(1));{mark}"]
        guard = "" if isinstance(change, Unguarded) else self.guard.text
        return [f"if ({guard}) {{", *inside, "}"] if guard else inside

    def run(self, model, bug, k, c):
        change = self.change if bug else None
        kinds = {"update": ("load", "store")}.get("update" if isinstance(change, Plain) else self.kind, (self.kind,))
        components, of = self.components(), self.object
        for own in model.invocations:
            values = (*own, k, c)
            if not isinstance(change, Unguarded) and not self.guard.of(values):
                continue
            at = self.value(*values)
            if isinstance(change, Shift) and change.lane in (None, own[0]):
                at += change.by
            if not 0 <= at < of.count:
                model.outside = True
            for part, kind in enumerate(kinds):
                # What is added depends on what was there.
                value = own[0] * 3 + self.salt & 63 if self.kind == "store" else object()
                for component in components:
                    model.access(of, (at, component), own[1], kind, (self, part, c), value)


class MatrixTouch(Step):
    """A load or a store of a matrix by each subgroup, lines `stride` apart."""

    def __init__(self, of, kind, shape, place, stride, by_rows, name):
        super().__init__()
        self.object, self.kind, self.shape, self.place, self.stride = of, kind, shape, place, stride
        self.by_rows, self.name = by_rows, name
        self.marked = False
        self.value = values_of(place)

    def spell(self, program):
        self.text = program.speller.spell(self.place, "uint")
        root = pointer_text(program, self.object) if self.object.memory == "address" else self.object.root()
        self.path = f"{root}.{self.object.data()}" if root else self.object.data()

    def emit(self):
        matrix, layout = self.shape.text(), "RowMajor" if self.by_rows else "ColumnMajor"
        component, is_load = self.shape.component, self.kind == "load"
        declared = f"{matrix} {self.name};" if is_load else f"{matrix} {self.name} = {matrix}({self.name}_v);"
        value = [] if is_load else [f"const {component} {self.name}_v = {component}(group);"]
        used = [f"sum += uint({self.name}[0]);"] * is_load

        def call(shift):
            return (f"coopMat{self.kind.capitalize()}({self.name}, {self.path}, {self.text}{shift}, {self.stride}u, "
                    f"gl_CooperativeMatrixLayout{layout});{MARK if self.marked else ''}")

        wrong = f" + {self.change.by}u" if isinstance(self.change, Shift) else ""
        return ["{", *value, declared, *self.lines_of_both([call("")], [call(wrong)]), *used, "}"]

    def run(self, model, bug, k, c):
        lines, length = self.shape.rows, self.shape.columns
        if not self.by_rows:
            lines, length = length, lines
        by = self.change.by if bug and isinstance(self.change, Shift) else 0
        for own in model.first_of_subgroups:
            begin = self.value(*own, k, c) + by
            if begin + self.stride * (lines - 1) + length > self.object.count:
                model.outside = True
            actor = f"subgroup {own[1] // model.subgroup}"
            for line in range(lines):
                for at in range(begin + line * self.stride, begin + line * self.stride + length):
                    model.access(self.object, (at, 0), actor, self.kind, (self, 0, c), object())


class Model:
    """Executes blocks, and keeps which accesses nothing orders: kinds and two sites each.

    Doubtful are stores of the same value, and those of matrices by one subgroup, which may be no findings.
    """

    def __init__(self, program, ordered=()):
        self.program, self.subgroup = program, program.subgroup if program.full else 1 << 20
        self.ordered = ordered  # dispatches with a barrier before them
        self.cells = {}
        self.races = set()
        self.doubtful = set()
        self.outside = False
        self.everyone = {}
        for own in program.invocations():
            self.everyone.setdefault(own[2], []).append(own)

    def run(self, blocks, bug):
        """`blocks`: of the dispatches, one after the other."""
        for self.command, block in enumerate(blocks):
            if self.command in self.ordered:
                self.cells = {}
            for self.workgroup, self.invocations in self.everyone.items():
                self.first_of_subgroups = [v for v in self.invocations if v[1] % self.subgroup == 0]
                self.epochs = {True: 0, False: 0}
                self.parts = {True: 0, False: 0}
                self.run_workgroup(block, bug)
        return self

    def run_workgroup(self, block, bug):
        some = self.invocations[0]
        for c, site in enumerate(block.sites):
            if not site.of((*some, 0, c)) or not block.condition.of((*some, 0, c)):
                continue
            for k in range(block.turns):
                for statement in block.statements:
                    statement.run(self, bug, k, c)

    def wait(self, barrier):
        for shared, orders in ((True, barrier.shared), (False, barrier.buffers)):
            if orders and barrier.level == WORKGROUP:
                self.epochs[shared] += 1
            elif orders and barrier.level == SUBGROUP:
                self.parts[shared] += 1

    def access(self, of, place, actor, kind, site, value):
        shared = of.memory == "shared"
        cell = self.cells.setdefault((shared, self.workgroup if shared else None, id(of), place), {})
        part = self.parts[shared]
        now = (self.command, self.workgroup, self.epochs[shared], kind, site)
        for before, entries in cell.items():
            kinds = (before[3], kind)
            if kinds not in HARMLESS:
                self.compare(before, entries, now, (actor, part, value), shared)
        cell.setdefault(now, set()).add((actor, part, value))

    def compare(self, before, entries, now, entry, shared):
        """An access with those that one statement has made in one segment between barriers."""
        if before[0] != now[0]:
            kind = "commands"
        elif before[1] != now[1]:
            kind = "device-memory"
        elif before[2] != now[2]:
            return
        else:
            kind = "workgroup-memory" if shared else "device-memory"
            entries = [e for e in entries if not self.is_ordered(e, entry)]
        sites = (before[4], now[4])
        if (kind, sites) in self.races or not entries:
            return
        apart = before[:2] != now[:2]
        certain = any(self.is_certain(e, before[3], entry, now[3], apart) for e in entries)
        (self.races if certain else self.doubtful).add((kind, sites))

    @staticmethod
    def is_certain(before, kind_before, now, kind_now, apart):
        if (kind_before, kind_now) == ("store", "store") and before[2] == now[2]:
            return False
        return apart or before[0] != now[0] or (kind_before, kind_now) == ("store", "load")

    def is_ordered(self, before, now):
        """Within a workgroup and a segment."""
        if before[0] == now[0] and not isinstance(now[0], str):
            return True
        return before[1] != now[1] and self.subgroup_of(before[0]) == self.subgroup_of(now[0])

    def subgroup_of(self, actor):
        return actor if isinstance(actor, str) else f"subgroup {actor // self.subgroup}"

    def kinds(self):
        return {kind for kind, _ in self.races}

    def sites(self):
        """Statements that findings may be about, and how many pairs of them there are."""
        pairs = {frozenset(sites) for _, sites in self.races | self.doubtful}
        return {site[0] for pair in pairs for site in pair}, len(pairs)
