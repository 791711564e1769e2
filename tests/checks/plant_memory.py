# SPDX-License-Identifier: Apache-2.0
"""Bugs that the check of memory finds, but for those of matrices (plant_matrix.py).

Each way to be wrong changes one access of a program that is right, so that some invocation does what is wrong.
"""

from plant_access import BLOCKS, UNSURE, Access, values_of
from plant_changes import changes_of, is_exact
from plant_matrix import MatrixAccess, MatrixMaker
from plant_table import NEVER_MORE, Planter
from plant_tensor import TensorAccess, TensorMaker

VARIABLE = ("push", "private", "function", "shared", "constant")


def findings(program, statement, change=None, guarded=True):
    """The kinds of findings at a statement, each with the numbers of the calls that lead to it."""
    access, found, seen = statement.access, {}, {}
    numbers = [values_of(n) for n in access.all_numbers()]
    executed = list(statement.executed(program, True) if guarded else program.executed(statement.block, True))
    if (statement.block.more_turns or statement.block.wrong_call) \
            and not all(is_exact(n, executed) for n in access.all_numbers()):
        return {UNSURE: {0}}
    for values in executed:
        indices = [number(*values) for number in numbers]
        if change is not None:
            indices[change.position] = change.value(values, indices[change.position])
        key = tuple(indices)
        if key not in seen:
            seen[key] = access.outcome(indices)
        if seen[key] is not None:
            found.setdefault(seen[key], set()).add(values[-1])
    return found


def times(found, kind):
    """How often this kind is found, or 0 if others are, too."""
    return len(found[kind]) if set(found) == {kind} else 0


def shuffled(random, items):
    items = list(items)
    random.shuffle(items)
    return items


def statements_of(program, wanted):
    return [s for block in program.blocks for s in block.statements if s.access is not None and wanted(s.access)]


# Ways to be wrong. Each gets (program, statement, kind) and returns how many findings there are.

def wrong_index(program, statement, kind):
    """An index is wrong."""
    positions = range(len(statement.access.all_numbers()))
    for position in shuffled(program.random, positions):
        for change in changes_of(program, statement, position):
            count = times(findings(program, statement, change), kind)
            if count:
                change.apply(statement)
                return count
    return 0


def no_guard(program, statement, kind):
    """The condition that keeps some away is left out."""
    if statement.guard is None:
        return 0
    count = times(findings(program, statement, guarded=False), kind)
    if count:
        statement.wrong = lambda p, s: s.lines(s.access.path(), "", True)
    return count


def alone(program, statement, kind, statements):
    """How often the kind is found at a statement, if the others of these have no findings."""
    if any(findings(program, other) for other in statements if other is not statement and other.access is not None):
        return 0
    return times(findings(program, statement), kind)


def marked(statement, count):
    statement.marked = count > 0
    return count


def more_turns(program, statement, kind):
    """The loop has too many turns."""
    block = statement.block
    if block.turns == 1:
        return 0
    for more in (1, 2, 7, 40):
        block.more_turns = more
        count = alone(program, statement, kind, block.statements)
        if count:
            return marked(statement, count)
    block.more_turns = 0
    return 0


def wrong_call(program, statement, kind):
    """A call passes a wrong number."""
    block = statement.block
    if not block.function:
        return 0
    for by in (1, 3, 60, 5000, 1 << 20):
        block.wrong_call = (program.random.randrange(len(block.sites)), by)
        if alone(program, statement, kind, block.statements + block.after):
            # A wrong number may be the number of another call.
            return marked(statement, len(block.sites))
    block.wrong_call = None
    return 0


def too_small(program, statement, kind):
    """The buffer or the range ends too soon."""
    of, random = statement.access.object, program.random
    if of.memory not in BLOCKS or of.spare and not of.has_range or of.inline:
        return 0
    stride = statement.access.element_bytes()
    others = statements_of(program, lambda a: a.object is of)
    for missing in shuffled(random, (1, 2, 4, stride // 2, stride, 3 * stride, of.bytes() // 2, of.bytes() - 1)):
        # Ranges of storage buffers have whole words.
        if not 0 < missing < of.bytes() or (of.bytes() - missing) % 4:
            continue
        of.missing = missing
        count = alone(program, statement, kind, others)
        if count:
            return marked(statement, count)
    of.missing = 0
    return 0


def too_short(program, statement, kind):
    """The specialization constant makes the variable too short."""
    of, first = statement.access.object, statement.access.all_numbers()[0]
    if not of.size_id or first.low == first.high:
        return 0
    others = statements_of(program, lambda a: a.object is of)
    for of.fewer in shuffled(program.random, {1, 2, of.count // 2, of.count - 1}):
        if 0 < of.fewer < of.count:
            count = alone(program, statement, kind, others)
            if count:
                return marked(statement, count)
    of.fewer = 0
    return 0


def null_descriptor(program, statement, kind):
    """The descriptor is null or not written."""
    of = statement.access.object
    if of.memory not in ("storage", "uniform") or of.inline:
        return 0
    others = statements_of(program, lambda a: a.object is of)
    if of.descriptors:
        of.left_out = program.random.randrange(of.descriptors)
        words = (f"PLACE_{of.name}", str(of.descriptors), str(of.left_out))
    else:
        of.null = True
        words = (f"NULL_{of.name}", "null", "scratch")
    count = alone(program, statement, kind, others)
    if not count:
        of.left_out, of.null = -1, False
        return 0
    program.bug_words.append(words)
    return marked(statement, count)


def wrong_pointer(program, statement, kind):
    """The address is wrong, here or where it comes from."""
    access, random = statement.access, program.random
    of = access.object
    if of.memory != "address":
        return 0
    size = of.bytes() + of.spare
    if kind == "alignment":
        of.spare += 16
        shifts = (1, 2, 4, 8, 12)
    else:
        shifts = (size, size - 4, size - 8, size // 32 * 16, -16, -4, -64, 16, 4, None)
    for access.shift in shuffled(random, shifts):
        count = times(findings(program, statement), kind)
        if count:
            break
    else:
        access.shift = 0
        return 0
    wild = random.choice(("0", "16", "0x87654320", "0xffffffffffff0000", "0x123456789abc0"))
    others = statements_of(program, lambda a: a.object is of)
    if len(others) == 1 and random.random() < 0.6:
        of.address = f"&{of.name} + {access.shift} * $(BUG)"
        if access.shift is None:
            of.address = f"$(BUG) ? {wild} : &{of.name}"
        if of.pointer == "sum" and access.shift is None and wild.startswith("0xf"):
            of.address = f"$(BUG) ? 0 : &{of.name}"
        return marked(statement, count)

    def lines(p, s):
        address = f"uint64_t({s.access.pointer_text}) + uint64_t({access.shift}l)"
        if access.shift is None:
            address = f"uint64_t({p.speller.opaque(0)}) + {wild}ul"
        return s.changed(pointer=f"R_{of.name}({address})")

    statement.wrong = lines
    return count


def turned_layout(program, statement, kind):
    """Rows are taken for columns."""
    statement.access.turned = True
    count = times(findings(program, statement), kind)
    if count:
        by_rows = not statement.access.by_rows
        statement.wrong = lambda p, s: s.lines(s.access.texts, True, by_rows)
    else:
        statement.access.turned = False
    return count


def read_only(program, statement, kind):  # pylint: disable=unused-argument
    """What is stored to is declared as read-only."""
    of = statement.access.object
    if statement.access.kind != "store" or of.memory not in BLOCKS or not of.accesses == [statement.access]:
        return 0
    # glslang looks at stores of matrices less closely than at others.
    of.role, of.qualifier = "any", f"ACCESS_{of.name} "
    program.bug_words.append((f"ACCESS_{of.name}", "readonly", "restrict"))
    return marked(statement, len(statement.block.sites) if statement.block.function else 1)


def misaligned(program, statement, kind):
    """Place or stride is not aligned."""
    statement.access.object.count += 64
    return wrong_index(program, statement, kind)


def rows(kind, wanted, make, *ways, full=False):
    """Planters in a random access that is `wanted`; `make(maker)` makes such. A way is a function and its name."""
    def plants(way):
        def plant(program, of_kind):
            for statement in shuffled(program.random, statements_of(program, wanted)):
                count = way(program, statement, of_kind)
                if count:
                    program.said = f' "{statement.access.kind}"'
                    # Optimizers make several loads of one.
                    return NEVER_MORE if program.optimize else count
            return 0
        return plant
    return [Planter("memory", kind, way.__doc__.splitlines()[0].rstrip("."), make, plants(way), full=full,
                    weight=2 if way in (wrong_index, no_guard) else 1) for way in ways]


def matrices(maker):
    MatrixMaker(maker).make()


def tensors(maker):
    TensorMaker(maker).make()


def matrices_or_tensors(maker):
    maker.random.choice((MatrixMaker, TensorMaker))(maker).make()


def is_a(kind):
    return lambda access: isinstance(access, kind)


plain = is_a(Access)


def any_of(makers):
    """Makes a statement in one of these memories, to be loaded from, stored to or of atomic operations."""
    def make(maker):
        block = maker.block()
        memory, kinds = maker.random.choice(makers)
        getattr(maker, maker.random.choice(kinds))(block, memory)
    return make


BUFFERS = (("storage", ("load", "store", "atomic")), ("uniform", ("load",)))
VARIABLES_MADE = (("push", ("load",)), ("private", ("load",)), ("function", ("load",)), ("constant", ("load",)),
                  ("shared", ("load", "atomic")))
ADDRESSES = (("address", ("load", "store", "atomic")),)
PLANTERS = [
    *rows("buffer-bounds", lambda a: plain(a) and a.object.memory in ("storage", "uniform"), any_of(BUFFERS),
          wrong_index, no_guard, more_turns, wrong_call, too_small),
    *rows("variable-bounds", lambda a: plain(a) and a.object.memory in VARIABLE, any_of(VARIABLES_MADE),
          wrong_index, more_turns, wrong_call, too_short),
    *rows("array-bounds", plain, any_of((*BUFFERS, *VARIABLES_MADE, *ADDRESSES)),
          wrong_index, more_turns, wrong_call),
    *rows("descriptor-bounds", lambda a: plain(a) and a.object.descriptors, any_of(BUFFERS[:1] * 3 + BUFFERS),
          wrong_index),
    *rows("null-descriptor", plain, any_of(BUFFERS), null_descriptor),
    *rows("address", lambda a: plain(a) and a.object.memory == "address", any_of(ADDRESSES),
          wrong_index, no_guard, more_turns, wrong_call, too_small, wrong_pointer),
    *rows("alignment", lambda a: plain(a) and a.object.memory == "address", any_of(ADDRESSES), wrong_pointer),
    *rows("read-only", lambda a: isinstance(a, (MatrixAccess, TensorAccess)), matrices_or_tensors,
          read_only, full=True),
    *rows("matrix-bounds", is_a(MatrixAccess), matrices,
          wrong_index, more_turns, wrong_call, too_small, wrong_pointer, turned_layout, full=True),
    *rows("matrix-alignment", is_a(MatrixAccess), matrices, misaligned, full=True),
    *rows("tensor-bounds", is_a(TensorAccess), tensors,
          wrong_index, more_turns, wrong_call, too_small, wrong_pointer, full=True),
]
