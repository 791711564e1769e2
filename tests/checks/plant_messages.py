# SPDX-License-Identifier: Apache-2.0
"""What the workgroup that comes last reads of all the others, which have told by a counter that they are done."""

from plant_order import BUFFER, SHARED, controlled
from plant_program import Block
from plant_sites import Site, marked, plain_buffer
from plant_types import Scalar

FENCES = ("memoryBarrierBuffer();", "memoryBarrier();")


def message(maker, change, fenced=2):
    """`change` is made to the lines: to the barrier, to the fence of those who tell, or of the one who hears.

    `fenced`: 2 if a fence of the device may be behind what the one hears in any case.
    """
    program, random = maker.program, maker.random
    if program.groups < 2:
        return 0
    program.need("GL_KHR_memory_scope_semantics")
    name = random.choice(("uint", "float", "uint16_t", "int", "uint64_t"))
    part = plain_buffer(maker, program.count, "1", Scalar(name))
    counter = plain_buffer(maker, 1, "0")("0")
    block, flag = Block(function=random.random() < 0.3), program.name("last")
    program.blocks.append(block)
    program.declarations.append(f"shared bool {flag};")
    one, x = random.randrange(program.size), program.name("x")
    q, way = program.name("q"), random.choice(("next", "all"))
    wait = random.choice((controlled(BUFFER), controlled(f"{SHARED} | {BUFFER}"), "memoryBarrierBuffer(); barrier();"))
    again = [controlled(f"{SHARED} | {BUFFER}"), "memoryBarrier(); barrier();"][random.randrange(fenced)]
    tell, hear = random.choice(FENCES), random.choice(FENCES)

    def lines(wait, tell, hear):
        add = f"uint {x} = atomicAdd({counter}, 1u);"
        store = f"{part('me')} = {name}(own & 15u);"
        load = f"sum += uint({part(q)});"
        if way == "next":
            read = ["{", f"const uint {q} = (uint(me) + {program.size}u) % {program.count}u;", load, "}"]
        else:
            read = [f"for (uint {q} = own; {q} < {program.count}u; {q} += {program.size}u) {{", load, "}"]
        return ["{", marked(store), *wait, f"if (own == {one}u) {{", *tell, add,
                f"{flag} = {x} == {program.groups - 1}u;", *hear, "}", again, f"if ({flag}) {{",
                *(marked(line) if line == load else line for line in read), "}", "barrier();", "}"]

    right = {"wait": [wait], "tell": [tell], "hear": [hear]}
    block.statements.append(Site(lines(**right), lines(**{**right, **change(random)})))
    return 2


def no_release(maker):
    """Who tells that it is done has no fence before."""
    return message(maker, lambda random: {"tell": random.choice(([], ["memoryBarrierShared();"]))})


def no_acquire(maker):
    """Who hears that all are done has no fence behind."""
    return message(maker, lambda random: {"hear": random.choice(([], ["memoryBarrierShared();"]))}, 1)


def no_barrier(maker):
    """One tells that all of its workgroup are done, without a barrier of their memory."""
    if maker.program.size == 1:
        return 0
    return message(maker, lambda random: {"wait": random.choice(([], ["memoryBarrierBuffer();"], ["barrier();"]))})
