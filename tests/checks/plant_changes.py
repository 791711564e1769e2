# SPDX-License-Identifier: Apache-2.0
"""Changes of one index of an access, by little or by much."""

from plant_access import values_of
from expressions import Node, literal, node  # by plant_access

MOST_LISTED = 700  # numbers of a buffer of indices


class Change:
    """An index at a position, of which `value(values of VARIABLES, right one)` is the wrong one."""

    def __init__(self, position, value):
        self.position, self.value = position, value

    def apply(self, statement):
        statement.wrong = self.lines

    def lines(self, program, statement):
        access = statement.access
        texts = list(access.texts)
        texts[self.position] = self.text(program, statement, texts[self.position])
        return statement.changed(texts)


class Offset(Change):
    """Something is added, for all or for one invocation."""

    def __init__(self, position, by, lane=None):
        super().__init__(position, lambda values, right: right + by if lane in (None, values[0]) else right)
        self.by, self.lane = by, lane

    def text(self, program, statement, right):
        speller, name = program.speller, statement.access.index_type
        by = literal(abs(self.by), name)
        number = statement.access.all_numbers()[self.position]
        # A constant index past the end of an array is no GLSL.
        if abs(self.by) < 1 << 32 and (number.low == number.high or program.optimize or program.random.random() < 0.3):
            by = f"{name}({speller.opaque(abs(self.by))})"
        text = f"({right} {'-' if self.by < 0 else '+'} {by})"
        return text if self.lane is None else f"(uint(me) == {self.lane}u ? {text} : {right})"


class Spelled(Change):
    """Another number, spelled anew."""

    def __init__(self, position, number):
        value = values_of(number)
        super().__init__(position, lambda values, right: value(*values))
        self.number = number

    def text(self, program, statement, right):
        return program.speller.spell(self.number, statement.access.index_type)


class Length(Change):
    """The length of the array, where the one before it is meant."""

    def __init__(self, position, access):
        super().__init__(position, lambda values, right: access.object.count)

    def text(self, program, statement, right):
        name, of = statement.access.index_type, statement.access.object
        array = f"{of.root()}.{of.data()}" if of.root() else of.data()
        return f"min({right} + {literal(of.count + 100, name)}, {name}({array}.length()))"


class Listed(Change):
    """From a buffer of indices, one of which is wrong."""

    def __init__(self, program, position, statement, place, right, bad):
        self.place, self.table = place, dict(right)
        at = values_of(place)
        self.where, self.bad = bad
        super().__init__(position, lambda values, _: self.bad if at(*values) == self.where else self.table[at(*values)])
        self.program = program

    def apply(self, statement):
        program, access = self.program, statement.access
        name = program.name("places")
        listed = [f"u32 {self.table.get(k, 0)}" for k in range(self.place.high + 1)]
        program.lists.append((name, len(listed), f"{{ {', '.join(listed)} }}",
                              f"//! fill {name}[{self.where}] = $(BUG) ? {self.bad & 0xffffffff} : "
                              f"{self.table[self.where]}"))
        access.indirect[self.position] = lambda speller: \
            f"{access.index_type}({name}[{speller.spell(self.place, 'uint')}])"
        statement.marked = True


def changes_of(program, statement, position):
    """Changes of an index, some of which are wrong."""
    random, access = program.random, statement.access
    number = access.all_numbers()[position]
    executed = list(statement.executed(program, True))
    if not executed:
        return
    of, first = access.object, access.all_numbers()[0]
    # A component of a constant that the compiler knows is no access to memory; and glslang says another line of a
    # variable whose length is a specialization constant, where the index is a constant.
    if (of.memory == "constant" or of.size_id) and first.low == first.high:
        return
    value = values_of(number)
    values = [value(*e) for e in executed]
    count, unit = access.count_at(position), access.unit(position)
    few = [count - max(values), count - min(values), count, 1, 2, -1 - min(values), -1 - max(values), -1]
    many = [1 << random.randrange(6, 30), -(1 << random.randrange(6, 30)), random.randrange(1 << 31)]
    if "64" in access.index_type:
        many += [1 << random.randrange(30, 40), -(1 << random.randrange(30, 40))]
    few = [*few, random.choice(many)]
    if unit > 1:
        few += [by // unit * unit for by in few] + [-(-by // unit) * unit for by in few]
    made = [Offset(position, by) for by in few if by]
    lane = random.choice(executed)
    if access.of_lanes:
        made += [Offset(position, by, lane[0]) for by in (count - value(*lane), -1 - value(*lane), random.choice(many))]
    if number.low != number.high:
        made += [Spelled(position, n) for n in mutations(number)
                 if n.low != n.high and is_natural(n, executed)]
    if position == 0 and access.object.memory == "storage" and access.object.runtime \
            and not access.object.descriptors:
        made += [Length(position, access)] * 2
    made += listed(program, statement, position, executed, values, count)
    random.shuffle(made)
    yield from made


def listed(program, statement, position, executed, values, count):
    random, place = program.random, program.maker.own(statement.block)
    if not statement.access.of_lanes or place.high >= MOST_LISTED or position in statement.access.indirect \
            or statement.guard is not None or "64" in statement.access.index_type:
        return
    at = values_of(place)
    right = {at(*e): v for e, v in zip(executed, values)}
    where = random.choice(list(right))
    for bad in (count, count + random.randrange(1 << 20), -1):
        yield Listed(program, position, statement, place, right, (where, bad))


def remade(op, left, right):
    """The node with its range; None if there is none such."""
    value = right.args[0] if right.op == "const" else None
    if op in "*/%^" and value is None or op in "/%" and value == 0:
        return None
    made = {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * value,
            "/": lambda: left // value, "%": lambda: left % value, "^": lambda: left ^ value}
    if op in ("min", "max"):
        choose = min if op == "min" else max
        return Node(op, (left, right), choose(left.low, right.low), choose(left.high, right.high))
    return made[op]()


def mutations(number):
    """The number with one constant changed, or without one operation; not below what is looked up."""
    if number.op in ("var", "const", "look"):
        return
    left, right = number.args
    if number.op in ("%", "min", "-", "/"):
        yield left
    if right.op == "const" and right.args[0] >= 0:
        value = right.args[0]
        for other in (value + 1, value + 7, 2 * value + 1, value - 1, value * 100):
            if other >= 0 and (made := remade(number.op, left, node(other))) is not None:
                yield made
    for changed in mutations(left):
        if (made := remade(number.op, changed, right)) is not None:
            yield made
    if number.op in "+-" and right.op not in ("const", "var"):
        for changed in mutations(right):
            yield remade(number.op, left, changed)


def is_exact(number, executed):
    """Whether each spelling has the same value: of what is negative only sums and products do."""
    if number.op in ("var", "const"):
        return True
    if number.op not in ("+", "-", "*"):
        values = [values_of(a) for a in number.args]
        if any(value(*e) < 0 for value in values for e in executed):
            return False
    return all(is_exact(a, executed) for a in number.args)


def is_natural(number, executed):
    """Whether neither it nor what it is made of is negative or large."""
    if number.op in ("var", "const", "look"):
        return True
    value = values_of(number)
    if number.high >= 1 << 31 or any(value(*e) < 0 for e in executed):
        return False
    return all(is_natural(a, executed) for a in number.args)
