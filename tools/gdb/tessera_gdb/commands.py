# SPDX-License-Identifier: Apache-2.0
"""`tessera ...`, and functions for conditions. The texts of classes are gdb's help."""

import gdb

from tessera_gdb.choice import Choice, for_lanes
from tessera_gdb.shader import HAS_ENDED, HAS_NOT_BEGUN, find_shader, plural, ranges, shaders, the_shader, triple


def numbers_of(arguments, count, usage):
    words = gdb.string_to_argv(arguments)
    try:
        numbers = [int(gdb.parse_and_eval(word)) for word in words]
    except gdb.error as error:
        raise gdb.GdbError(f"{error}\n{usage}") from error
    if len(numbers) > count or not numbers or min(numbers) < 0:
        raise gdb.GdbError(usage)
    return numbers + [0] * (count - len(numbers))


class AnyInvocation(gdb.Function):
    """$any_invocation("EXPRESSION"): whether it is true of a live invocation, which is looked at then.

For conditions of breakpoints: `break blur.comp:36 if $any_invocation("sum > 100")`."""

    def __init__(self):
        super().__init__("any_invocation")

    def invoke(self, expression):  # pylint: disable=arguments-differ
        shader = the_shader()
        stream, text = shader.looked_at, expression.string()
        lane = for_lanes(stream, stream.live(), lambda _: bool(gdb.parse_and_eval(text)))
        if lane is not None:
            Choice.choose(invocation=stream.invocation(lane))
        return lane is not None


class TheInvocation(gdb.Function):
    """$invocation(X, Y, Z): whether this one, by its global id, is live here; it is looked at then.

For conditions of breakpoints: `break blur.comp:36 if $invocation(70, 0, 0)`."""

    def __init__(self):
        super().__init__("invocation")

    def invoke(self, x, y=0, z=0):  # pylint: disable=arguments-differ
        shader, wanted = the_shader(), (int(x), int(y), int(z))
        found = shader.find(wanted)
        if not found or found[0] is not shader.looked_at or found[1] not in found[0].live():
            return False
        found[0].look_at(found[1])
        Choice.choose(invocation=wanted)
        return True


class Tessera(gdb.Command):
    """Shaders that the Tessera driver runs, compiled with TESSERA_DEBUG=1.

Variables are those of one invocation, which these commands choose; functions for conditions
are $any_invocation("EXPRESSION") and $invocation(X, Y, Z)."""

    def __init__(self):
        super().__init__("tessera", gdb.COMMAND_DATA, prefix=True)


class Lane(gdb.Command):
    """Look at another invocation of the subgroup: tessera lane [N | auto]

Variables are those of lane N from here on, in each subgroup that the program stops in, wherever the
lane is live. `auto`: those of the first live one. Without an argument: says who is looked at."""

    def __init__(self):
        super().__init__("tessera lane", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):  # pylint: disable=unused-argument
        shader = the_shader()
        stream, size = shader.looked_at, shader.subgroup_size
        if argument == "auto":
            Choice.choose()
        elif argument:
            (lane,) = numbers_of(argument, 1, "usage: tessera lane [N | auto]")
            now = stream.field("lane")
            there = now // size * size + lane
            if lane >= size or there >= stream.lanes():
                raise gdb.GdbError(f"there is no lane {lane}: this subgroup has {min(size, stream.lanes())}")
            Choice.choose(lane=lane)
            stream.look_at(there)
        Choice.show(shader)


class Invocation(gdb.Command):
    """Look at an invocation by its global id: tessera invocation X [Y [Z]]

Of any workgroup that runs, in the thread that runs it, also while it waits at a barrier or is not
live; and at each further stop where it is live."""

    def __init__(self):
        super().__init__("tessera invocation", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):  # pylint: disable=unused-argument
        wanted = tuple(numbers_of(argument, 3, "usage: tessera invocation X [Y [Z]]"))
        candidates = shaders()
        if not candidates:
            the_shader()  # says why
        for thread, shader in candidates:
            found = shader.find(wanted)
            if found is None:
                continue
            stream, lane = found
            if stream.at == HAS_NOT_BEGUN:
                raise gdb.GdbError(f"invocation {triple(wanted)} has not begun: `tessera break` with `invocation` stops"
                                   " where it is live")
            if stream.at == HAS_ENDED and stream.field("stream") != stream.number:
                raise gdb.GdbError(f"invocation {triple(wanted)} has ended, and its values are gone")
            if thread.num != gdb.selected_thread().num:
                thread.switch()
            shader.show(stream)
            stream.look_at(lane)
            Choice.choose(invocation=wanted)
            Choice.show(shader)
            return
        running = "; ".join(f"{triple(s.workgroup)} on thread {t.num}" for t, s in candidates)
        workgroup = tuple(i // s for i, s in zip(wanted, candidates[0][1].size))
        raise gdb.GdbError(f"invocation {triple(wanted)} is of workgroup {triple(workgroup)}, which does not run now;"
                           f" what runs is {running}")


class Workgroup(gdb.Command):
    """The workgroups that run, and on which threads."""

    def __init__(self):
        super().__init__("tessera workgroup", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):  # pylint: disable=unused-argument
        the_thread = gdb.selected_thread()
        for thread, shader in shaders() or the_shader():
            here = "*" if thread.num == the_thread.num else " "
            size, of_all = "x".join(str(s) for s in shader.size), ""
            if shader.count is not None:
                of_all = " of " + "x".join(str(c) for c in shader.count)
            subgroups = sum(len(stream.subgroups()) for stream in shader.streams)
            gdb.write(f"{here} thread {thread.num}: workgroup {triple(shader.workgroup)}{of_all}, {size} invocations,"
                      f" {subgroups} subgroups of {shader.subgroup_size}\n")


class Invocations(gdb.Command):
    """Who is live here, and where the other subgroups of the workgroup are."""

    def __init__(self):
        super().__init__("tessera invocations", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):  # pylint: disable=unused-argument
        shader = the_shader()
        gdb.write(f"workgroup {triple(shader.workgroup)}\n")
        for stream in shader.streams:
            lane = stream.field("lane") if stream is shader.looked_at else -1
            for subgroup, first in stream.subgroups():
                size = min(shader.subgroup_size, stream.lanes() - first)
                here = "*" if first <= lane < first + size else " "
                gdb.write(f"{here} subgroup {subgroup} {self.state(stream, first, size)}\n")

    @staticmethod
    def state(stream, first, size):
        """Of a subgroup."""
        if stream.at == HAS_ENDED:
            return "has ended"
        if stream.at == HAS_NOT_BEGUN:
            return "has not begun"
        begin, width = stream.field("first"), stream.field("width")
        if stream.at > 0:
            text = f"waits at the barrier in line {stream.at}"
        elif begin <= first < begin + width:
            text = f"runs at line {gdb.newest_frame().find_sal().line}"
        else:
            return "takes turns with the one that runs, up to the next barrier"
        live = [lane - first for lane in stream.live() if first <= lane < first + size]
        other = sorted(set(range(size)) - set(live))
        return text + f", live: {plural('lane', live)}" + (f"; not live: {ranges(other)}" if other else "")


class Follow(gdb.Command):
    """Repeats {0} until the invocation that is looked at is live, where the program stops.

Others of its subgroup run branches that it does not take, and other subgroups run while it waits."""

    MOST = 10000

    def __init__(self, name):
        self.name = name
        self.__doc__ = Follow.__doc__.format(f"`{name}`")
        super().__init__(f"tessera {name}", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):  # pylint: disable=unused-argument
        stream = the_shader().looked_at
        wanted = stream.invocation(stream.field("lane"))
        before = Choice.lane, Choice.invocation
        for _ in range(self.MOST):
            Choice.choose(invocation=wanted)
            Choice.is_at_breakpoint = False
            printed = gdb.execute(self.name, to_string=True)
            shader = find_shader()
            if shader is None or Choice.is_at_breakpoint or Choice.looks_at(shader, wanted):
                break
        Choice.choose(*before)
        gdb.write(printed)  # of the last step, where gdb has not printed that already


class Print(gdb.Command):
    """An expression's value for each live invocation of the subgroup: tessera print [/all] [/FORMAT] EXPRESSION

/all takes those that are not live, too, whose values are the last that they had; /x and the other
formats are those of `print`. Lanes side by side with the same value are one line."""

    def __init__(self):
        super().__init__("tessera print", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):  # pylint: disable=unused-argument
        stream, options, everyone = the_shader().looked_at, {}, False
        while argument.startswith("/"):
            word, _, argument = argument.partition(" ")
            argument = argument.strip()
            everyone |= word == "/all"
            if word != "/all":
                options["format"] = word[1:]
        if not argument:
            raise gdb.GdbError("usage: tessera print [/all] [/FORMAT] EXPRESSION")
        rows = []
        size, subgroups = stream.shader.subgroup_size, stream.subgroups()

        def add(lane):
            text = gdb.parse_and_eval(argument).format_string(**options)
            subgroup, first = subgroups[lane // size]
            name = f"subgroup {subgroup}, lane" if len(subgroups) > 1 else "lane"
            if rows and rows[-1][0] == name and rows[-1][2] == text and rows[-1][1][-1] + 1 == lane - first:
                rows[-1][1].append(lane - first)
            else:
                rows.append((name, [lane - first], text, lane))

        for_lanes(stream, range(stream.lanes()) if everyone else stream.live(), add)
        names = [(plural(name, lanes), triple(stream.invocation(first))) for name, lanes, _, first in rows]
        widths = [max(len(name[k]) for name in names) for k in (0, 1)]
        for name, row in zip(names, rows):
            gdb.write(f"{name[0]:{widths[0]}}  {name[1]:{widths[1]}}  {row[2]}\n")


class Break(gdb.Command):
    """Stop where an invocation fulfils a condition: tessera break LOCATION [invocation X [Y [Z]]] [if EXPRESSION]

The expression is evaluated for each live invocation, and the first that it is true of is looked at;
or for the one that is named. `break LOCATION if EXPRESSION` asks the one that is looked at only."""

    def __init__(self):
        super().__init__("tessera break", gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION)

    def invoke(self, argument, from_tty):
        place, _, expression = (" " + argument + " ").partition(" if ")
        place, _, who = place.partition(" invocation ")
        expression, place = expression.strip(), place.strip()
        if not place:
            raise gdb.GdbError("usage: tessera break LOCATION [invocation X Y Z] [if EXPRESSION]")
        conditions = []
        if who.strip():
            numbers = numbers_of(who, 3, "an invocation has one to three numbers: ... invocation X [Y [Z]]")
            conditions.append("$invocation({}, {}, {})".format(*numbers))
        if expression and not conditions:
            text = expression.replace("\\", "\\\\").replace('"', '\\"')
            expression = f'$any_invocation("{text}")'
        conditions += [expression] if expression else []
        condition = " && ".join(f"({part})" for part in conditions)
        gdb.execute(f"break {place}" + (f" if {condition}" if condition else ""), from_tty)


def register():
    for kind in (Tessera, Lane, Invocation, Workgroup, Invocations, Print, Break, AnyInvocation, TheInvocation):
        kind()
    for name in ("next", "step"):
        Follow(name)
