# SPDX-License-Identifier: Apache-2.0
"""Bugs that the check of races finds: in blocks of accesses with barriers (plant_exchange.py) and between
dispatches, a barrier or an index is changed, so that the model of their order (plant_order.py) knows a race."""

from plant_exchange import CommandsMaker, ExchangeMaker
from plant_memory import shuffled
from plant_messages import no_acquire, no_barrier, no_release
from plant_order import (BARRIERS, GONE, SUBGROUP, WEAK, WORKGROUP, MatrixTouch, Model, Plain, Shift, Sync, Touch,
                         Unguarded)
from plant_sites import planters
from plant_table import NEVER_MORE, Planter


def count_races(program, kind):
    """How many pairs of places there are, which it marks; 0 if not all are of this kind."""
    of = program.exchange
    model = Model(program, of.ordered_with_bug).run(of.blocks, True)
    if model.outside or model.kinds() != {kind} or any(d[0] != kind for d in model.doubtful):
        return 0
    touched, pairs = model.sites()
    for statement in touched:
        statement.marked = True
    return NEVER_MORE if program.optimize else pairs


def statements(program, wanted):
    return [s for block in program.exchange.blocks for s in block.statements if isinstance(s, wanted)] \
        if program.exchange else []


def try_changes(program, kind, some, changes):
    """The first change that makes a race."""
    for statement in shuffled(program.random, some):
        for change in shuffled(program.random, changes(statement)):
            statement.change = change
            if count := count_races(program, kind):
                return count
        statement.change = None
    return 0


def barrier_gone(program, kind):
    """A barrier is left out."""
    return try_changes(program, kind, statements(program, Sync), lambda s: [GONE])


def barrier_moved(program, kind):
    """A barrier is at another place."""
    for block in shuffled(program.random, program.exchange.blocks if program.exchange else ()):
        for sync in shuffled(program.random, [s for s in block.statements if isinstance(s, Sync)]):
            sync.change = GONE
            for at in shuffled(program.random, range(len(block.statements) + 1)):
                moved = Sync(GONE)
                moved.change = sync.barrier
                block.statements.insert(at, moved)
                if count := count_races(program, kind):
                    return count
                block.statements.remove(moved)
            sync.change = None
    return 0


def other_memory(program, kind):
    """A barrier orders other memory, or none."""
    others = [b for b in (*BARRIERS, WEAK[0]) if b.level == WORKGROUP]
    return try_changes(program, kind, statements(program, Sync),
                       lambda s: [b for b in others if (b.shared, b.buffers) != (s.barrier.shared, s.barrier.buffers)])


def no_wait(program, kind):
    """A barrier orders memory, but nobody waits at it."""
    return try_changes(program, kind, statements(program, Sync), lambda s: WEAK[1:])


def less_scope(program, kind):
    """A barrier is of the subgroup."""
    if not program.full:
        return 0
    return try_changes(program, kind, statements(program, Sync), lambda s: [b for b in BARRIERS if b.level == SUBGROUP])


def neighbour(program, kind):
    """An index leads to a neighbour's element."""
    def changes(statement):
        if isinstance(statement, MatrixTouch):
            return [Shift(statement.unit * by) for by in (1, 2, 4)]
        lane = program.random.randrange(program.count)
        return [Shift(by, of) for by in (1, 1, 2, 5) for of in (None, lane, program.size - 1)]
    return try_changes(program, kind, statements(program, (Touch, MatrixTouch)), changes)


def plain_update(program, kind):
    """An atomic operation is a load and a store."""
    atomics = [s for s in statements(program, Touch) if s.kind == "atomic"]
    return try_changes(program, kind, atomics, lambda s: [Plain()])


def everyone(program, kind):
    """What one invocation, or some, should do all do."""
    return try_changes(program, kind, [s for s in statements(program, Touch) if s.guard.text], lambda s: [Unguarded()])


def no_order(program, kind):
    """A barrier between commands is left out."""
    of = program.exchange
    for phase in shuffled(program.random, of.ordered if of else ()):
        of.ordered_with_bug = of.ordered - {phase}
        if count := count_races(program, kind):
            word = f"ORDER_{phase}"
            program.orders[phase] = f"$({word})"
            # What stands for nothing: one workgroup in y.
            program.bug_words.append((word, "unordered", "1"))
            return count
    return 0


def rows(kind, make, *ways, full=False):
    return [Planter("race", kind, way.__doc__.rstrip("."), make, way, full=full, most=64) for way in ways]


def exchange(*memories, matrices=False):
    return lambda maker: ExchangeMaker(maker, memories, matrices).make()


SHARED = exchange("shared")
BUFFERS = exchange("storage", "storage", "address")
PLANTERS = [
    *rows("workgroup-memory", SHARED, barrier_gone, barrier_moved, other_memory, no_wait, less_scope, neighbour,
          plain_update, everyone),
    *rows("workgroup-memory", exchange("shared", matrices=True), barrier_gone, less_scope, neighbour, full=True),
    *rows("device-memory", BUFFERS, barrier_gone, barrier_moved, other_memory, no_wait, less_scope, neighbour,
          plain_update, everyone),
    *rows("device-memory", exchange("storage", "address", matrices=True), barrier_gone, neighbour, full=True),
    *(planters("race", "device-memory", make) for make in (no_release, no_acquire, no_barrier)),
    *rows("commands", lambda maker: CommandsMaker(maker).make(), no_order, neighbour, plain_update, everyone),
]
