# SPDX-License-Identifier: Apache-2.0
"""Loops that wait for other workgroups, or for lanes of the same subgroup, which need not go on meanwhile.

Each gives up after many turns, so that a program ends whatever the driver does.
"""

from plant_program import Block
from plant_sites import Site, diverging, marked, plain_buffer, scopes

TRIES = 1000000


def shared_words(program, count):
    name = program.name("flags")
    program.declarations.append(f"shared uint {name}[{count}];")
    return lambda index: f"{name}[{index}]"


def looks(random, place):
    """GLSL of the word, by an atomic operation that does not change it."""
    return random.choice((f"atomicOr({place}, 0u)", f"atomicAdd({place}, 0u)", f"atomicMax({place}, 0u)",
                          f"atomicCompSwap({place}, 77u, 77u)", f"atomicXor({place}, 0u)"))


def wait(program, look, arrived, line=marked):
    """A loop that ends when `arrived` holds of what is seen, V."""
    q, v, done, k = program.name("q"), program.name("v"), program.name("done"), program.name("k")
    seen = arrived.replace("V", v)
    looked = line(f"uint {v} = {look};")
    turns = f"for (uint {q} = 0u; {q} < {TRIES}u; ++{q}) {{"
    a_while = program.random.choice(("3u", f"({q} & 7u)", f"min({q}, 5u)"))
    return program.random.choice((
        [turns, looked, f"if ({seen}) break;", "}"],
        [f"uint {q} = 0u; uint {v} = 0u; do {{", line(f"{v} = {look};"), f"}} while (!({seen}) && ++{q} < {TRIES}u);"],
        [f"uint {q} = {TRIES}u; while ({q}-- > 0u) {{", line(f"const uint {v} = {look};"), f"if ({seen}) {{ break; }}",
         "}"],
        [f"bool {done} = false; for (uint {q} = 0u; {q} < {TRIES}u && !{done}; ++{q}) {{", looked, f"{done} = {seen};",
         "}"],
        [f"bool {done} = false; uint {q} = 0u; while (!{done} && {q} < {TRIES}u) {{", looked,
         f"if ({seen}) {done} = true; else {q} += 2u;", "}"],
        [f"uint {q} = 0u; while (true) {{", looked, f"if ({seen} || {q} == {TRIES}u) break;", f"++{q};", "}"],
        [turns, looked, f"if ({seen}) break;", f"for (uint {k} = 0u; {k} < {a_while}; ++{k}) memoryBarrierBuffer();",
         "}"]))


def block_of(maker):
    block = Block(function=maker.random.random() < 0.3)
    maker.program.blocks.append(block)
    return block


def spin_workgroup_flag(maker):
    """A workgroup waits for the flag of a later one."""
    program, random = maker.program, maker.random
    if program.groups < 2:
        return 0
    groups, one = program.groups, random.randrange(program.size)
    flags, ticket = plain_buffer(maker, groups + 1, f"i / {groups}"), plain_buffer(maker, 1, "0")
    block, g, value = block_of(maker), program.name("g"), random.randrange(1, 60)
    late = random.choice((True, False))  # the last is waited for, or the next

    def lines(which, line):
        whom = f"{g} < {groups - 1}u ? {groups - 1}u : {groups}u" if late else f"{g} + 1u"
        waits = wait(program, looks(random, flags(f"({whom})")), "V != 0u", line)
        return [f"if (own == {one}u) {{", f"uint {g} = {which};", *waits, f"atomicExchange({flags(g)}, {value}u);", "}"]

    right = f"{groups - 1}u - atomicAdd({ticket('0')}, 1u)"
    block.statements.append(Site(lambda p: lines(right, str), lambda p: lines("group", marked)))
    return 1


def spin_workgroup_all(maker):
    """All workgroups wait until all have come."""
    program, random = maker.program, maker.random
    if program.groups < 2:
        return 0
    arrived, one = plain_buffer(maker, 2, "0"), random.randrange(program.size)
    block, all_of_it = block_of(maker), random.random() < 0.4
    come = f"atomicAdd({arrived('0')}, 1u)"
    what = random.choice((f"V == {program.groups}u", f"V >= {program.groups}u"))

    def wrong(p):
        waits = wait(p, looks(random, arrived("0")), what)
        if all_of_it:
            return [f"if (own == {one}u) {come};", "memoryBarrierBuffer();", *waits]
        return [f"if (own == {one}u) {{", f"{come};", "memoryBarrierBuffer();", *waits, "}"]

    block.statements.append(Site([f"if (own == {one}u && {come} == {program.groups - 1}u) {{",
                                  f"sum += atomicOr({arrived('1')}, 1u);", "}"], wrong))
    return 1


def spin_lane_flag(maker):
    """Some wait for what others of the subgroup store behind the loop or in the other branch."""
    program, random = maker.program, maker.random
    waiting = diverging(program, "Subgroup")
    flags, of_team = shared_words(program, program.teams), "gl_SubgroupID"
    if any(len({bool(waiting.of((*o, 0, 0))) for o in some}) < 2 for some in scopes(program, "Subgroup")):
        return 0
    block, value = block_of(maker), random.randrange(1, 60)
    clear = [f"if (own < {program.teams}u) atomicExchange({flags('own')}, 0u);", "barrier();"]
    block.prologue.append(Site(clear, clear))
    store = f"atomicMax({flags(of_team)}, {value}u);"
    look = looks(random, flags(of_team))

    def wrong(p):
        waits = wait(p, look, "V != 0u")
        if random.random() < 0.5:
            return [f"if ({waiting.text}) {{", *waits, "} else {", store, "}"]
        return [f"if ({waiting.text}) {{", *waits, "}", f"if (!({waiting.text})) {store}"]

    block.statements.append(Site([f"if (!({waiting.text})) {store}", "subgroupBarrier();",
                                  f"if ({waiting.text}) sum += {look};"], wrong))
    return 1


def spin_lane_lock(maker):
    """Each waits for a lock that one of the subgroup has."""
    program, random = maker.program, maker.random
    lock = plain_buffer(maker, 2, "0")
    block, v, q = block_of(maker), program.name("v"), program.name("q")
    work = f"sum += atomicAdd({lock('1')}, 1u);"
    take, free = random.choice(((f"atomicCompSwap({lock('0')}, 0u, 1u)", f"atomicExchange({lock('0')}, 0u);"),
                                (f"atomicExchange({lock('0')}, 1u)", f"atomicExchange({lock('0')}, 0u);")))

    def wrong(p):
        return [*wait(p, take, "V == 0u"), work, free]

    # One that gets the lock works and frees it within the turn.
    right = [f"bool {v} = false; for (uint {q} = 0u; {q} < {TRIES}u && !{v}; ++{q}) {{", f"if ({take} == 0u) {{",
             work, free, f"{v} = true;", "}", "}"]
    block.statements.append(Site(right, wrong))
    return 1
