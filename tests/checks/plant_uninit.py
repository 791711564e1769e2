# SPDX-License-Identifier: Apache-2.0
"""Bugs that the check of undefined values finds: a value that has none comes from one of the SOURCES, goes through
some arithmetic, and ends in one of the SINKS, which are the kinds of findings."""

from plant_access import values_of
from plant_matrix import MatrixMaker, Shape
from plant_program import Block, Condition
from plant_sites import Site, common, diverging, marked, plain_buffer, planters
from plant_types import Scalar

TYPES = ("uint", "int", "float", "float16_t", "uint8_t", "int16_t", "uint64_t", "double")
WHOLE = ("uint", "int", "uint8_t", "uint64_t")


class Source:
    """What a value comes from: lines without and with the bug, its GLSL, and declarations of what lines use."""

    def __init__(self, right, wrong, value, functions=()):
        self.right, self.wrong, self.value, self.functions = right, wrong, value, functions


def block_of(maker):
    """A block that all of a workgroup come to."""
    random, program = maker.random, maker.program
    block = Block(turns=random.choice((1, 1, 2, 3)), ascends=True)
    if random.random() < 0.3:
        block.condition = common(program, "Workgroup", always=True)
    if random.random() < 0.3:
        block.function = True
        block.sites = [Condition() for _ in range(random.choice((1, 2)))]
    program.blocks.append(block)
    return block


def own_value(random, name):
    """GLSL of a number that there is, of type `name`."""
    return f"{name}({random.choice(('uint(me)', 'own', '7u', '(own ^ 3u)', 'group'))} & 63u)"


def some_of(maker):
    """A condition that some do not have."""
    found = diverging(maker.program, "Workgroup")
    return found.text if found else f"uint(me) == {maker.program.count}u"


def variable(maker, block):
    """A variable has no value."""
    name, random, v = maker.random.choice(TYPES), maker.random, maker.program.name("u")
    return Source([f"{name} {v} = {own_value(random, name)};"], [f"{name} {v};"], v)


def set_by_some(maker, block):
    """A variable gets a value under a condition."""
    name, random, v = maker.random.choice(TYPES), maker.random, maker.program.name("u")
    condition = some_of(maker)
    setting = f"if ({condition}) {v} = {own_value(random, name)};"
    return Source([f"{name} {v} = {name}(5);", setting], [f"{name} {v};", setting], v)


def component(maker, block):
    """A component of a vector has no value."""
    random, v = maker.random, maker.program.name("u")
    size = random.choice((2, 3, 4))
    missing = random.randrange(size)
    setting = [f"{v}.{'xyzw'[k]} = {own_value(random, 'uint')};" for k in range(size)]
    kept = [line for k, line in enumerate(setting) if k != missing]
    return Source([f"uvec{size} {v};", *setting], [f"uvec{size} {v};", *kept], f"{v}.{'xyzw'[missing]}")


def element(maker, block):
    """An element of an array has no value."""
    random, program, v = maker.random, maker.program, maker.program.name("u")
    name, q, count = random.choice(TYPES), program.name("q"), random.randrange(2, 9)
    number = maker.index(block, count)
    value = values_of(number)
    seen = sorted({value(*values) for values in program.executed(block)})
    if not seen:
        return None
    missing = random.choice(seen)
    private = random.random() < 0.3
    declared = f"{name} {v}[{count}];"
    if private:
        program.declarations.append(declared)
    index = program.name("at")

    def lines(condition):
        return [*([] if private else [declared]), f"for (uint {q} = 0u; {q} < {count}u; ++{q}) {{",
                f"{condition}{v}[{q}] = {name}({q} + 1u); }}"]

    source = Source(lines(""), lines(f"if ({q} != {missing}u) "), f"{v}[{index}]")
    source.index = (index, number)
    return source


def member(maker, block):
    """A member of a structure has no value."""
    random, program, v = maker.random, maker.program, maker.program.name("u")
    structure, names = program.name("T"), [random.choice(WHOLE) for _ in range(random.randrange(2, 5))]
    program.declarations.append(f"struct {structure} {{ {' '.join(f'{n} p{k};' for k, n in enumerate(names))} }};")
    missing = random.randrange(len(names))
    setting = [f"{v}.p{k} = {own_value(random, n)};" for k, n in enumerate(names)]
    copy, declared = program.name("u"), [f"{structure} {v};"]
    last = [f"{structure} {copy} = {v};"]
    return Source([*declared, *setting, *last], [*declared, *setting[:missing], *setting[missing + 1:], *last],
                  f"{copy}.p{missing}")


def out_parameter(maker, block):
    """A function does not set its out parameter, or not always."""
    random, program, v = maker.random, maker.program, maker.program.name("u")
    name, called = random.choice(TYPES), program.name("fill")
    least = random.randrange(program.size)
    head = f"void {called}(uint n, out {name} place) {{"
    setting = f"if (n < {least}u) place = {name}(n & 31u);"
    functions = ["#if BUG", head, setting, "}", "#else", head, f"place = {name}(3);", setting, "}", "#endif"]
    lines = [f"{name} {v};", f"{called}(own, {v});"]
    return Source(lines, lines, v, functions)


def no_return(maker, block):
    """A function returns nothing on one of its ways."""
    random, program, v = maker.random, maker.program, maker.program.name("u")
    name, called = random.choice(TYPES), program.name("gives")
    least = random.randrange(program.size)
    functions = [f"{name} {called}(uint n) {{", f"if (n < {least}u) return {name}(n & 31u);", "#if !BUG",
                 f"return {name}(1);", "#endif", "}"]
    lines = [f"{name} {v} = {called}(own);"]
    return Source(lines, lines, v, functions)


def shared_element(maker, block):
    """An element of shared memory is not set."""
    random, program, v = maker.random, maker.program, maker.program.name("u")
    name, missing = random.choice(("uint", "float", "uint16_t", "uint8_t", "uint64_t")), random.randrange(program.size)
    program.declarations.append(f"shared {name} {v}[{program.size}];")
    setting = f"{v}[own] = {own_value(random, name)};"
    turned = random.choice(("own", f"({program.size - 1}u - own)", f"((own + 3u) % {program.size}u)"))
    block.prologue.append(Site([setting, "barrier();"], [f"if (own != {missing}u) {setting}", "barrier();"]))
    block.epilogue.append(Site(["barrier();"], ["barrier();"]))
    return Source([], [], f"{v}[{turned}]")


def buffer_element(maker, block):
    """An element of a new buffer is not written."""
    random, program = maker.random, maker.program
    missing = random.randrange(program.count)
    path = plain_buffer(maker, program.count, "")
    program.objects[-1].unwritten = True
    setting = f"{path('me')} = {own_value(random, 'uint')};"
    block.prologue.append(Site([setting], [f"if (uint(me) != {missing}u) {setting}"]))
    return Source([], [], path("me"))


def other_lane(maker, block):
    """Values of all the subgroup are put together, of which some are none."""
    random, v = maker.random, maker.program.name("u")
    name = random.choice(("uint", "int", "float"))
    maker.program.need("GL_KHR_shader_subgroup_shuffle")
    condition = some_of(maker)
    setting = f"if ({condition}) {v} = {own_value(random, name)};"
    text = random.choice(("subgroupAdd(V)", "subgroupMax(V)", "subgroupShuffleXor(V, 1u)", "subgroupInclusiveAdd(V)"))
    return Source([f"{name} {v} = {name}(2);", setting], [f"{name} {v};", setting], text.replace("V", v))


ARITHMETIC = ("V", "V", "(V + own)", "(V ^ 5u)", "(V * 3u)", "(V + 1u)", "(own - V)", "(V | (V << 4u))", "uint(int(V))")


def branch(maker, block, v):
    """GLSL lines that let a value decide."""
    random, program = maker.random, maker.program
    place, q = plain_buffer(maker, 1, "0")("0"), program.name("q")
    work = f"atomicAdd({place}, 1u);"
    limit = random.randrange(1, 40)
    return random.choice((
        [marked(f"if ({v} > {limit}u) {{"), work, "}"],
        [marked(f"if (({v} & 1u) == 0u) {{"), work, "} else {", f"atomicMax({place}, 3u);", "}"],
        [marked(f"switch ({v} & 3u) {{"), f"case 1u: {work} break;", "case 2u: sum += 3u; break; }"],
        [marked(f"for (uint {q} = 0u; {q} < ({v} & 3u); ++{q}) {{"), work, "}"],
        [f"uint {q} = 0u;", marked(f"while ({q} < ({v} & 3u)) {{"), work, f"++{q};", "}"]))


def address(maker, block, v):
    """GLSL lines that take a value for an index."""
    random, program = maker.random, maker.program
    if random.random() < 0.3:
        name = program.name("h")
        program.declarations.append(f"shared uint {name}[8];")
        filling = [f"for (uint q = own; q < 8u; q += {program.size}u) {name}[q] = 0u;", "barrier();"]
        block.prologue.append(Site(filling, filling))
        block.epilogue.append(Site(["barrier();"], ["barrier();"]))
        return [marked(f"atomicAdd({name}[{v} & 7u], 1u);")]
    place = plain_buffer(maker, 16, "i")(f"{v} & 15u")
    return random.choice(([marked(f"{place} = 9u;")], [marked(f"atomicAdd({place}, 1u);")],
                          [marked(f"const uint {program.name('z')} = {place};")]))


def atomic(maker, block, v):
    """GLSL lines of an atomic operation with the value."""
    random = maker.random
    place = plain_buffer(maker, 4, "i")("own & 3u")
    way = random.choice(("Add", "Max", "Min", "Or", "Xor", "Exchange"))
    ways = [f"atomic{way}({place}, {v});"] * 3
    ways += [f"atomicCompSwap({place}, 2u, {v});", f"atomicCompSwap({place}, {v}, 2u);"]
    return [marked(random.choice(ways))]


def store(maker, block, v):
    """GLSL lines that store the value."""
    random, program = maker.random, maker.program
    name = random.choice(("uint", "uint", "uint8_t", "float", "uint64_t"))
    path = plain_buffer(maker, program.count, "0", Scalar(name))("me")
    return [marked(f"{path} = {name}({v});")]


def uninit(kind, source_of, sink, **options):
    def make(maker):
        program, random = maker.program, maker.random
        program.optimize = False  # optimizers may do with undefined values what they like
        block = block_of(maker)
        source = source_of(maker, block)
        if source is None:
            return 0
        program.functions += source.functions
        value = random.choice(ARITHMETIC).replace("V", f"uint({source.value})")
        last = sink(maker, block, value)

        def lines(side):
            def made(p):
                before = []
                if hasattr(source, "index"):
                    name, number = source.index
                    before = [f"const uint {name} = {p.speller.spell(number, 'uint')};"]
                return ["{", *before, *side, *last, "}"]
            return made

        block.statements.append(Site(lines(source.right), lines(source.wrong)))
        return 2 * len(block.sites)
    make.__doc__ = source_of.__doc__
    return planters("uninit", kind, make, **options)


def matrix(maker):
    """A matrix, or a sum of products of matrices, begins without a value."""
    random, program = maker.random, maker.program
    program.optimize = False
    MatrixMaker(maker)
    name = random.choice(("float", "int", "float16_t"))
    shape = Shape(name, 16, 16, "Accumulator", "Subgroup").text()
    block, m = block_of(maker), program.name("m")
    into = plain_buffer(maker, 256 * program.groups * program.teams, "0", Scalar(name))("")[:-2]
    more = [] if random.random() < 0.5 else [f"{m} = {m} + {shape}({name}(2));"]
    last = marked(f"coopMatStore({m}, {into}, team * 256u, 16, gl_CooperativeMatrixLayoutRowMajor);")
    if name == "float" and random.random() < 0.6:
        a, b = (Shape("float16_t", 16, 16, use, "Subgroup").text() for use in "AB")
        more = [f"{m} = coopMatMulAdd({a}(float16_t(1)), {b}(float16_t(2)), {m});"]
    block.statements.append(Site(["{", f"{shape} {m} = {shape}({name}(0));", *more, last, "}"],
                                 ["{", f"{shape} {m};", *more, last, "}"]))
    return 2 * len(block.sites)


SOURCES = (variable, set_by_some, component, element, member, out_parameter, no_return, shared_element, buffer_element)
SINKS = {"uninit-branch": branch, "uninit-address": address, "uninit-atomic": atomic, "uninit-store": store}
PLANTERS = [uninit(kind, source, sink) for kind, sink in SINKS.items() for source in SOURCES] + \
    [uninit(kind, other_lane, sink, full=True) for kind, sink in SINKS.items()] + \
    [planters("uninit", "uninit-store", matrix, full=True)]
