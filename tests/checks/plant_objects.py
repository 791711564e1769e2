# SPDX-License-Identifier: Apache-2.0
"""Objects at random, and how they stand in a kernel file: declarations, buffers, push constants."""

from plant_access import BLOCKS, Object
from plant_types import SCALARS, Array, Scalar, Vector, declare, random_leaf, round_up

FIRST_BINDING = 2
MOST_PUSHED_BYTES = 256
PUSHED_TYPES = ("uint", "int", "float", "uint64_t", "uint16_t", "uint8_t")


class TooLarge(Exception):
    """The program has more push constants or shared memory than devices have room for."""


def make_object(program, maker, memory, role="read", element=None):
    """An object of no length yet."""
    random = program.random
    of = Object(program.name("a"), memory, element, "variable", 0, role=role)
    if memory == "push":
        of.element, of.rule = element or pushed_element(random), "std430"
    elif memory in BLOCKS:
        of.rule = "std140" if memory == "uniform" else random.choice(("std430", "std430", "scalar"))
        of.element = element or maker.make()
        shape_block(program, of)
    elif memory == "constant":
        of.element = element or random_leaf(random)
    else:
        of.element = element or maker.make()
        if random.random() < 0.25:
            of.size_id = len(program.objects) + 1
    program.objects.append(of)
    return of


def pushed_element(random):
    scalar = Scalar(random.choice(PUSHED_TYPES))
    return random.choice((scalar, scalar, Vector(scalar.name, 2), Vector(scalar.name, 4), Array(scalar, 3)))


def shape_block(program, of):
    random = program.random
    of.runtime = of.memory != "uniform" and random.random() < 0.7
    of.named = of.memory == "address" or random.random() < 0.6
    if random.random() < 0.3:
        of.head = tuple(random_leaf(random) for _ in range(random.randrange(1, 3)))
    if not of.runtime and random.random() < 0.4:
        of.tail = (random_leaf(random),)
    if of.memory == "address":
        align = of.block().layout(of.rule)[0]
        # No less than the largest scalar has; an address must not be promised what a scalar does not have.
        of.reference_align = max(random.choice((1, 4, 8, 16)), min(align, 16), scalar_bytes(of))
        of.pointer = random.choice(("push", "push", "cast", "table", "sum"))
        of.address = f"&{of.name}"
        of.spare = random.choice((0, 0, 16, 40)) if not of.runtime else 0
        return
    of.qualifier = random.choice(("", "", "", "", "coherent ", "volatile ", "restrict ")) * (of.memory == "storage")
    of.inline = of.memory == "uniform" and random.random() < 0.2
    if of.inline:
        return
    if random.random() < 0.25:
        of.named = True
        of.descriptors = random.choice((2, 3, 4))
        of.unsized = of.memory == "storage" and random.random() < 0.3
    elif random.random() < 0.3:
        of.at = 256 * random.randrange(0, 3)
        of.dynamic = random.random() < 0.4
        of.has_range = True
        of.spare = random.choice((0, 16, 256))
    elif not of.runtime and random.random() < 0.3:
        of.spare = random.choice((8, 16, 104))


def scalar_bytes(of):
    return max(SCALARS[s][0] for t in (of.element, *of.head, *of.tail) for s in t.scalars())


def make_room(of, length, random):
    """Gives the object `length` elements at least."""
    of.count = max(of.count, length + random.choice((0, 0, 0, 1, 4)))


def declarations(program):
    lines = []
    lines += [s.declaration() for s in program.maker.types.structures]
    binding = FIRST_BINDING
    for of in program.objects:
        if of.memory in BLOCKS:
            if of.memory != "address":
                of.binding = binding
                binding += 1
            lines += block_declaration(of)
        if of.size_id:
            lines.append(f"layout(constant_id = {of.size_id}) const uint n_{of.name} = {of.count + 2};")
        if of.memory in ("shared", "private"):
            lines.append(f"{'shared ' if of.memory == 'shared' else ''}{of.variable()};")
        elif of.memory == "constant":
            lines.append(f"const {declare(Array(of.element, of.count), of.name)} = {table(of)};")
    for name, *_ in program.lists:
        lines.append(f"layout(binding = {binding}) readonly buffer B_{name} {{ uint {name}[]; }};")
        program.list_bindings[name] = binding
        binding += 1
    tables = [of for of in program.objects if of.pointer == "table"]
    if tables:
        program.table_binding = binding
        lines.append(f"layout(binding = {binding}) readonly buffer Addresses {{ uint64_t addresses[]; }};")
    return lines


def table(of):
    element = of.element
    if isinstance(element, Vector):
        values = [f"{element.text()}({element.name}({k % 50}))" for k in range(of.count)]
    else:
        values = [f"{element.name}({k % 50})" for k in range(of.count)]
    return f"{element.text()}[]({', '.join(values)})"


def block_declaration(of):
    qualifier, members = of.declaration()
    if of.memory == "address":
        return [f"layout(buffer_reference, {of.rule}, buffer_reference_align = {of.reference_align}) {qualifier}"
                f"buffer R_{of.name} {{ {members} }};"]
    kind = "uniform" if of.memory == "uniform" else f"{qualifier}buffer"
    array = "" if not of.descriptors else "[]" if of.unsized else f"[{of.descriptors}]"
    instance = f" {of.name}{array}" if of.named else ""
    return [f"layout({of.rule}, binding = {of.binding}) {kind} B_{of.name} {{ {members} }}{instance};"]


def buffer_type(of):
    """The kernel file's type of the buffer's elements, their bytes, and values that suit them."""
    scalars = set().union(*(t.scalars() for t in (of.element, *of.head, *of.tail)))
    if len(scalars) == 1:
        size, _, name = SCALARS[scalars.pop()]
        return name, size, "i * 37 % 100"
    return "u8", 1, "1"  # small numbers of any type


def directives(program):
    lines = []
    for of in program.objects:
        if of.memory in BLOCKS:
            lines += buffer_directives(of)
        if of.size_id:
            lines.append(f"//! spec {of.size_id} = u32 {of.count} - {of.fewer} * $(BUG)")
    for name, count, values, filling in program.lists:
        lines += [f"//! buffer {name} u32[{count}] binding {program.list_bindings[name]} = {values}", filling]
    lines += program.fills
    tables = [of for of in program.objects if of.pointer == "table"]
    if tables:
        addresses = ", ".join(f"u64 {of.address}" for of in tables)
        lines.append(f"//! buffer addresses u64[{len(tables)}] binding {program.table_binding} = {{ {addresses} }}")
    return lines


def buffer_directives(of):
    name, size, values = buffer_type(of)
    if of.values:
        values = of.values
    total = of.at + of.bytes() + of.spare
    count = f"{round_up(total, size) // size}"
    if of.missing and not of.has_range:
        name, values = "u8", of.values or "1"
        count = f"{total} - {of.missing} * $(BUG)"
    options = []
    if of.memory == "uniform":
        options.append("inline" if of.inline else "uniform")
    if of.has_range:
        options.append(f"dynamic {of.at}" if of.dynamic else f"at {of.at}")
        lacks = f" - {of.missing} * $(BUG)" if of.missing else ""
        options.append(f"range ({of.bytes()}{lacks})")
    if of.role != "read":
        options.append("scratch")
    if of.unwritten:
        return [f"//! buffer {of.name} {name}[{count}] binding {of.binding} scratch unwritten"]
    if of.null and not of.descriptors:
        options = [o for o in options if o != "scratch"] + [f"$(NULL_{of.name})"]
    if of.memory == "address":
        return [f"//! buffer {of.name} {name}[{count}] {' '.join(options)} = {values}"]
    if not of.descriptors:
        return [f"//! buffer {of.name} {name}[{count}] binding {of.binding} {' '.join(options)} = {values}"]
    lines = []
    for d in range(of.descriptors):
        at = f"{d}" if d != of.left_out else f"$(PLACE_{of.name})"
        where = f"binding {of.binding} element {at}"
        lines.append(f"//! buffer {of.name}_{d} {name}[{count}] {where} {' '.join(options)} = {values}")
    return lines


def push_block(program):
    """The declaration of the push constants, and the values behind the phase, if it is one of them."""
    members, values, offset = [], [], 0

    def add(of, texts, name):
        nonlocal offset
        align, size = of.layout("std430")
        if offset % align:
            values.append(f"pad {align - offset % align}")
            offset = round_up(offset, align)
        members.append(declare(of, name))
        values.extend(texts)
        offset += size

    if program.phases > 1 and program.phase_is_pushed:
        add(Scalar("uint"), [], "phase")
    for at, word in enumerate(program.speller.pushed):
        add(Scalar("uint"), [f"u32 {word}"], f"pushed{at}")
    for of in program.objects:
        if of.pointer in ("push", "cast", "sum"):
            add(Scalar("uint64_t"), [f"u64 {of.address}"], f"{of.name}_at")
            if of.pointer == "push":
                members[-1] = f"R_{of.name} {of.name}_at"
    for of in program.objects:
        if of.memory == "push":
            name, = of.element.scalars()
            size, _, kind = SCALARS[name]
            add(Array(of.element, of.count), [f"{kind} {k % 100 + 1}" for k in range(of.bytes() // size)], of.name)
    if offset > MOST_PUSHED_BYTES:
        raise TooLarge
    if not members:
        return [], []
    return [f"layout(push_constant, std430) uniform Pushed {{ {'; '.join(members)}; }};"], values


def pointer_text(program, of):
    """GLSL of the reference to an object behind an address."""
    if of.pointer == "push":
        return f"{of.name}_at"
    if of.pointer == "table":
        at = [o for o in program.objects if o.pointer == "table"].index(of)
        return f"R_{of.name}(addresses[{at}])"
    if of.pointer == "sum":
        by = program.random.choice((16, 256, 4096))
        return f"R_{of.name}({of.name}_at + {by}ul - uint64_t({program.speller.opaque(by)}))"
    return f"R_{of.name}({of.name}_at)"
