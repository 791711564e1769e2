# SPDX-License-Identifier: Apache-2.0
"""Bugs that the check of uniformity finds: barriers and matrices that not all come to, operands that differ, values of
inactive invocations, and invocations that wait for each other."""

from plant_access import values_of
from plant_matrix import MatrixMaker, MatrixStatement
from plant_program import Block
from plant_sites import NEVER_MORE, Site, Under, calls, common, diverging, marked, planters, scopes
from plant_spins import spin_lane_flag, spin_lane_lock, spin_workgroup_all, spin_workgroup_flag
from plant_statements import Text

BARRIERS = ("barrier();", "memoryBarrierShared(); barrier();", "groupMemoryBarrier(); barrier();")


def barrier_of(program, scope):
    """GLSL of one, on one line."""
    if scope == "Subgroup":
        return program.random.choice(("subgroupBarrier();", "subgroupMemoryBarrierShared(); subgroupBarrier();"))
    return program.random.choice(BARRIERS)


def block_of(maker, function=None):
    """A block whose invocations all come to it."""
    program, random = maker.program, maker.random
    block = Block(turns=random.choice((1, 1, 2, 3)), ascends=True)
    block.function = random.random() < 0.3 if function is None else function
    if block.function:
        block.sites = [type(block.condition)() for _ in range(random.choice((1, 2)))]
    if random.random() < 0.3:
        block.condition = common(program, "Workgroup", always=True)
    program.blocks.append(block)
    return block


def branch(maker, scope):
    """Of a barrier: what it stands in."""
    program = maker.program
    wrong, right = diverging(program, scope), common(program, scope)
    if wrong is None:
        return 0
    block, text = block_of(maker), barrier_of(program, scope)
    block.statements.append(Site(lambda p: p.under(right.text, [text]), lambda p: p.under(wrong.text, [marked(text)])))
    return calls(block)


def barrier_in_branch(maker):
    """A barrier is in a branch that not all take."""
    return branch(maker, "Workgroup")


def subgroup_barrier_in_branch(maker):
    """A barrier of the subgroup is in a branch that not all take."""
    return branch(maker, "Subgroup")


def barrier_in_loop(maker):
    """A loop with a barrier has other turns for some."""
    program, random = maker.program, maker.random
    wrong = diverging(program, "Workgroup")
    if wrong is None:
        return 0
    block, text = block_of(maker), random.choice(BARRIERS)
    turns = program.speller.push(random.randrange(1, 4))

    def loop(limit, line):
        q = program.name("q")
        return random.choice(((f"for (uint {q} = 0u; {q} < {limit}; ++{q}) {{", line, "}"),
                              (f"uint {q} = {limit}; while ({q}-- > 0u) {{", line, "}"),
                              (f"uint {q} = 0u; do {{ if ({q} >= {limit}) break;", line, f"++{q}; }} while (true);")))

    block.statements.append(Site(lambda p: ["{", *loop(turns, text), "}"],
                                 lambda p: ["{", *loop(f"({turns} + (({wrong.text}) ? 1u : 0u))", marked(text)), "}"]))
    return calls(block)


def barrier_after_return(maker):
    """Some return before a barrier."""
    program = maker.program
    wrong = diverging(program, "Workgroup")
    if wrong is None:
        return 0
    right, text = common(program, "Workgroup"), maker.random.choice(BARRIERS)
    block = block_of(maker, function=True)
    block.turns = 1
    block.statements.append(Site([f"if ({right.text}) return sum;", text],
                                 [f"if ({wrong.text}) return sum;", marked(text)]))
    return calls(block)


def barrier_after_break(maker):
    """Some leave a loop before its barrier, or its turn."""
    program, random = maker.program, maker.random
    wrong = diverging(program, "Workgroup")
    if wrong is None:
        return 0
    right, text = common(program, "Workgroup"), random.choice(BARRIERS)
    leave, turns = random.choice(("break", "continue")), random.randrange(2, 5)
    q, at = program.name("q"), random.randrange(turns)

    def loop(condition, line):
        return [f"for (uint {q} = 0u; {q} < {turns}u; ++{q}) {{",
                f"if ({q} == {at}u && ({condition})) {leave};", line, "}"]

    block = block_of(maker)
    # The last turn is the one that is left, so that there is a barrier which not all come to.
    block.statements.append(Site(lambda p: loop(right.text, text), lambda p: loop(wrong.text, marked(text))))
    return calls(block)


def barriers_apart(maker):
    """Some come to one barrier, some to another."""
    program = maker.program
    wrong = diverging(program, "Workgroup")
    if wrong is None:
        return 0
    right, block = common(program, "Workgroup"), block_of(maker)
    one, other = maker.random.choice(BARRIERS), maker.random.choice(BARRIERS)
    block.statements.append(Site([f"if ({right.text}) {{", one, "} else {", other, "}"],
                                 [f"if ({wrong.text}) {{", marked(one), "} else {", marked(other), "}"]))
    return 2 * calls(block)


def matrix_block(maker):
    """A block with matrices, their statements, and the scope of the matrices."""
    made = MatrixMaker(maker)
    made.make()
    block = maker.program.blocks[-1]
    matrices = [s for s in block.statements if isinstance(s, MatrixStatement)]
    return block, matrices, matrices[0].access.shape.scope


def matrix_in_branch(maker):
    """A matrix operation is in a branch that not all take."""
    program = maker.program
    block, matrices, scope = matrix_block(maker)
    wrong = diverging(program, scope)
    if wrong is None:
        return 0
    products = [s for s in block.statements if isinstance(s, Text) and any("MulAdd" in line for line in s.lines)]
    victim = maker.random.choice(matrices + products)
    if victim in products:
        victim.lines = tuple(marked(line) for line in victim.lines)
    else:
        victim.marked = True
    store = victim in matrices and victim.access.kind == "store"
    block.statements[block.statements.index(victim)] = Under(victim, common(program, scope, always=not store), wrong)
    return calls(block)


def matrix_in_loop(maker):
    """A loop with matrix operations has fewer turns for some."""
    program = maker.program
    block, matrices, scope = matrix_block(maker)
    wrong = diverging(program, scope)
    if wrong is None or block.turns == 1:
        return 0
    block.ascends = True
    block.less = f"(({wrong.text}) ? 1u : 0u)"
    for statement in block.statements:
        if statement in matrices:
            statement.marked = True
        elif isinstance(statement, Text):
            statement.lines = tuple(marked(line) if "coopMat" in line else line for line in statement.lines)
    # Barriers among them are of no use to tell one kind of finding.
    if any("barrier" in line for s in block.statements if isinstance(s, Text) for line in s.lines):
        return 0
    return 3 * calls(block) * len(block.statements)


def matrix_operand(maker):
    """Place or stride of a matrix differs among those who load or store it."""
    program, random = maker.program, maker.random
    block, matrices, scope = matrix_block(maker)
    wrong = diverging(program, scope)
    if wrong is None:
        return 0
    victim = random.choice(matrices)
    access, position = victim.access, random.randrange(2)
    if position == 1 and access.kind == "store":
        position = 0
    by = access.unit() * random.randrange(1, 4)
    access.object.count += by * (1 + position * 64)

    def lines(p, statement):  # pylint: disable=unused-argument
        texts = list(statement.access.texts)
        texts[position] = f"({texts[position]} + (({wrong.text}) ? {by}u : 0u))"
        return statement.changed(texts)

    victim.wrong = lines
    return calls(block)


def broadcast_lane(maker):
    """The invocation of a broadcast differs."""
    program, random = maker.program, maker.random
    wrong = diverging(program, "Subgroup")
    lane = random.randrange(program.subgroup - 1)
    uniform = random.choice((f"(team * 3u + {lane}u) % {program.subgroup}u", program.speller.push(lane),
                             f"(group + {lane}u) % {program.subgroup}u"))
    block, x = block_of(maker), program.name("x")
    if random.random() < 0.3:
        program.need("GL_KHR_shader_subgroup_quad")
        uniform = random.choice((program.speller.push(lane % 4), "(team & 3u)", "(group & 3u)"))
        call, different = "subgroupQuadBroadcast", f"(({wrong.text}) ? 3u : 1u)"
        differs = any(len({wrong.of((*o, 0, 0)) for o in some[q:q + 4]}) > 1
                      for some in scopes(program, "Subgroup") for q in range(0, len(some), 4))
        if not differs:
            return 0
    else:
        call, different = "subgroupBroadcast", f"(({wrong.text}) ? {lane + 1}u : {lane}u)"
    block.statements.append(Site([f"const uint {x} = {call}(uint(me) * 3u, {uniform});", f"sum += {x};"],
                                 [marked(f"const uint {x} = {call}(uint(me) * 3u, {different});"), f"sum += {x};"]))
    return calls(block)


def descriptor_index(maker):
    """An index of descriptors that differs is not marked as nonuniform."""
    program = maker.program
    block = maker.block()
    statement = maker.load(block, "storage")
    access = statement.access
    if access.descriptor is None or not access.nonuniform:
        return 0
    number, groups = access.all_numbers()[-1], {}
    which = values_of(number)
    for values in statement.executed(program):
        groups.setdefault((values[3], values[5], values[6]), set()).add(which(*values))
    if not any(len(g) > 1 for g in groups.values()):
        return 0

    def lines(p, s):  # pylint: disable=unused-argument
        s.access.nonuniform = False
        wrong = s.changed()
        s.access.nonuniform = True
        return wrong

    statement.wrong = lines
    # Each scalar of what is loaded may be one access.
    return NEVER_MORE


def sources(program, wrong):
    """Ways to ask another invocation of the subgroup: GLSL, and whom an invocation asks by its lane."""
    random, lanes = program.random, program.subgroup
    mask, by, one = random.choice([m for m in (1, 2, 4, 8, 16) if m < lanes]), random.randrange(1, lanes), \
        random.randrange(lanes)
    program.need("GL_KHR_shader_subgroup_shuffle_relative")
    program.need("GL_KHR_shader_subgroup_quad")
    pushed = program.speller.push(mask)
    lane = "gl_SubgroupInvocationID"
    return random.choice((
        (f"subgroupShuffleXor(VALUE, {pushed})", lambda a: a ^ mask),
        (f"subgroupShuffleXor(VALUE, {mask}u)", lambda a: a ^ mask),
        (f"subgroupShuffle(VALUE, ({lane} + {by}u) % {lanes}u)", lambda a: (a + by) % lanes),
        (f"subgroupShuffle(VALUE, {lanes - 1}u - {lane})", lambda a: lanes - 1 - a),
        (f"subgroupShuffle(VALUE, {one}u)", lambda a: one),
        (f"subgroupBroadcast(VALUE, {one}u)", lambda a: one),
        ("subgroupQuadSwapHorizontal(VALUE)", lambda a: a ^ 1),
        ("subgroupQuadSwapVertical(VALUE)", lambda a: a ^ 2),
        ("subgroupQuadSwapDiagonal(VALUE)", lambda a: a ^ 3)))


def asks_inactive(program, active, source):
    """Whether one of those that are there asks one that is not."""
    for some in scopes(program, "Subgroup"):
        lanes = {a for a, own in enumerate(some) if active.of((*own, 0, 0))}
        if any(source(a) not in lanes for a in lanes):
            return True
    return False


def inactive_in_branch(maker):
    """A value is asked for in a branch that its invocation does not take."""
    program, random = maker.program, maker.random
    active = diverging(program, "Subgroup")
    text, source = sources(program, active)
    if not asks_inactive(program, active, source):
        return 0
    block, x = block_of(maker), program.name("x")
    value = random.choice(("uint(me)", "own * 7u", "(own ^ group)"))
    line = f"uint {x} = {text.replace('VALUE', value)};"
    block.statements.append(Site(["{", line, *program.under(active.text, [f"sum += {x};"]), "}"],
                                 program.under(active.text, [marked(line), f"sum += {x};"])))
    return calls(block)


def inactive_after_return(maker):
    """A value is asked for of an invocation that has returned, or left a loop."""
    program, random = maker.program, maker.random
    gone = diverging(program, "Subgroup")
    stays = type(gone)("", lambda *values: not gone.of(values))
    text, source = sources(program, gone)
    if not asks_inactive(program, stays, source):
        return 0
    block, x, q = block_of(maker, function=True), program.name("x"), program.name("q")
    block.turns = 1
    line = f"uint {x} = {text.replace('VALUE', 'uint(me)')};"
    if random.random() < 0.5:
        block.statements.append(Site([line, f"if ({gone.text}) return sum;", f"sum += {x};"],
                                     [f"if ({gone.text}) return sum;", marked(line), f"sum += {x};"]))
    else:
        turns = random.randrange(2, 4)
        head = f"for (uint {q} = 0u; {q} < {turns}u; ++{q}) {{"
        block.statements.append(Site([head, line, f"if (!({gone.text})) sum += {x};", "}"],
                                     [head, f"if ({gone.text}) break;", marked(line), f"sum += {x};", "}"]))
    return calls(block)


def beyond_subgroup(maker):
    """A value is asked for of a lane that there is not."""
    program, random = maker.program, maker.random
    block, x, by = block_of(maker), program.name("x"), random.randrange(1, program.subgroup)
    lane = random.choice((f"gl_SubgroupInvocationID + {by}u", f"gl_SubgroupInvocationID * 2u + {by}u"))
    right, wrong = (f"uint {x} = subgroupShuffle(uint(me), {of});" for of in (f"({lane}) % {program.subgroup}u", lane))
    block.statements.append(Site([right, f"sum += {x};"], [marked(wrong), f"sum += {x};"]))
    return calls(block)


def row(kind, make, **options):
    return planters("uniform", kind, make, **options)


PLANTERS = [
    row("divergent-barrier", barrier_in_branch, weight=2),
    row("divergent-barrier", subgroup_barrier_in_branch, full=True),
    row("divergent-barrier", barrier_in_loop),
    row("divergent-barrier", barrier_after_return),
    row("divergent-barrier", barrier_after_break),
    row("divergent-barrier", barriers_apart),
    row("divergent-matrix", matrix_in_branch, full=True, weight=2, most=128),
    row("divergent-matrix", matrix_in_loop, full=True, most=128),
    row("nonuniform-operand", matrix_operand, full=True, most=128),
    row("nonuniform-operand", broadcast_lane, full=True),
    row("nonuniform-operand", descriptor_index, full=True),
    row("inactive-source", inactive_in_branch, full=True, weight=2),
    row("inactive-source", inactive_after_return, full=True),
    row("inactive-source", beyond_subgroup, full=True),
    row("spin-workgroup", spin_workgroup_flag, most=32),
    row("spin-workgroup", spin_workgroup_all, most=32),
    row("spin-lane", spin_lane_flag, full=True),
    row("spin-lane", spin_lane_lock, full=True),
]
