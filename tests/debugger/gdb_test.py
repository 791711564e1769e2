#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shaders in gdb, with the commands of the extension (tools/gdb) that it loads with the driver.

usage: gdb_test.py RUNNER
"""

import re

import harness
import session
from harness import place

FLOW, STRAIGHT, WIDE, SMALL, QUADS = "flow.comp", "straight.comp", "wide.comp", "small.comp", "quads.comp"


def weighed(i):
    """`sum` behind the loop of flow.comp."""
    total = sum(i * 2.5 + k for k in range(3))
    return int(total) if total == int(total) else total


class GdbTest(session.SessionTest):
    def test_branch(self):
        self.session(
            FLOW,
            f"break {place(FLOW, 'in the branch')}",
            ("run", "sum = less;"),
            *self.values(("i", 1), ("sum", weighed(1)), ("less", -weighed(1)), ("gl_GlobalInvocationID.x", 1)),
            ("tessera lane", "[invocation (1, 0, 0): lane 1 of subgroup 0, workgroup (0, 0, 0)]"),
            ("tessera lane 4", "[invocation (4, 0, 0): lane 4 of subgroup 0, workgroup (0, 0, 0)]"),
            *self.values(("i", 4), ("sum", weighed(4)), ("less", -weighed(4)), ("x", 4)),
            ("tessera lane 0", "not live here"),
            *self.values(("i", 0), ("sum", weighed(0))),
            ("tessera lane 32", "there is no lane 32: this subgroup has 32"),
            ("tessera lane -1", "usage: tessera lane"),
            ("tessera lane 3 4", "usage: tessera lane"),
            "tessera lane 7",
            ("tessera next", f"{harness.line_of(FLOW, 'behind the branches')}\t"),
            # The lane stays what it was, also in the next subgroup.
            *self.values(("i", 7), ("sum", -weighed(7))),
            "delete",
            f"break {place(FLOW, 'behind the branches')}",
            ("continue", "lane 7 of subgroup 1"),
            *self.values(("i", 39), ("sum", weighed(39))))

    def test_stepping_into_the_other_branch(self):
        self.session(
            FLOW,
            f"break {place(FLOW, 'in the other branch')}",
            ("run", "sum += 1.0;"),
            *self.values(("i", 2), ("sum", weighed(2))),
            "next",
            *self.values(("sum", weighed(2) + 1)))

    def test_function_and_loop(self):
        self.session(
            FLOW,
            f"break {place(FLOW, 'in the function')}",
            ("run", "weight (x=0, k=0)"),
            "tessera lane 9",
            *self.values(("x", 9), ("scaled", 22.5), ("k", 0)),
            ("backtrace 2", re.compile(rf"#0 +weight \(x=9, k=0\).*\n#1 .*main \(\) at .*{FLOW}:")),
            ("up", place(FLOW, "in the loop")),
            *self.values(("i", 9), ("sum", 0), ("k", 0)),
            ("continue", "weight (x=9, k=1)"),
            *self.values(("scaled", 22.5), ("k", 1)),
            ("finish", place(FLOW, "in the loop")),
            *self.values(("i", 9), ("k", 1)))

    def test_break_by_function(self):
        self.session(FLOW, "break weight", ("run", "weight (x=0, k=0)"), ("step", "scaled += float(k)"))

    def test_stepping_through_a_loop(self):
        """Twice the same line, with the next round's values."""
        self.session(
            FLOW,
            f"break {place(FLOW, 'in the loop')}",
            "run",
            "tessera lane 3",
            *self.values(("k", 0), ("sum", 0)),
            "continue",
            *self.values(("k", 1), ("sum", 7.5)),
            "continue",
            *self.values(("k", 2), ("sum", 16)))

    def test_shared_memory_and_buffers(self):
        second = ", ".join(str(n) for n in range(128, 192))
        self.session(
            FLOW,
            f"break {place(FLOW, 'behind the branches')}",
            "run",
            *self.values(("stage[1][63]", 191), ("stage[1]", "{" + second + "}"), ("data[300]", 300),
                         ("push", "{factor = 2.5, rounds = 3}")),
            ("ptype stage", "type = float [2][64]"),
            ("ptype data", "type = float [512]"),
            ("output data", "197, 198, 199...}"),
            ("ptype output_", "float results[512];"),
            "continue 4",
            # The second workgroup, (1, 0, 0).
            *self.values(("tessera->workgroup[0]", 1), ("stage[0][0]", 64), ("stage[1][0]", 192)),
            ("print output_.results[0]", re.compile(r"= 7.5|= -?\d")))

    def test_barriers(self):
        first, second = (harness.line_of(FLOW, text) for text in ("the first barrier", "behind the second barrier"))
        self.session(
            FLOW,
            f"break {place(FLOW, 'behind the branches')}",
            "run",
            ("tessera invocations", f"""workgroup (0, 0, 0)
* subgroup 0 runs at line {harness.line_of(FLOW, 'behind the branches')}, live: lanes 0-31
  subgroup 1 waits at the barrier in line {first}, live: lanes 0-31
  subgroup 2 waits at the barrier in line {first}, live: lanes 0-31
  subgroup 3 waits at the barrier in line {first}, live: lanes 0-31"""),
            ("tessera invocation 5 1", f"[invocation (5, 1, 0): lane 5 of subgroup 2, workgroup (0, 0, 0);"
             f" waits at the barrier in line {first}, code and line are those of another subgroup]"),
            *self.values(("i", 133), ("x", 5), ("gl_LocalInvocationID.y", 1)),
            ("tessera invocations", "* subgroup 2 waits"),
            # Where the program goes on, the one that runs is looked at.
            ("continue", "lane 0 of subgroup 1"),
            *self.values(("i", 32), ("tessera->stream", 1)),
            "delete",
            f"break {FLOW}:{second}",
            # What was asked for is looked at again where it is live.
            "continue",
            "continue",
            ("continue", "lane 5 of subgroup 2"),
            *self.values(("i", 133)))

    def test_who_has_not_begun_and_who_has_ended(self):
        self.session(
            FLOW,
            f"break {FLOW}:{harness.line_of(FLOW, 'the first barrier') - 1}",
            "run",
            ("tessera invocations", "  subgroup 3 has not begun"),
            ("tessera invocation 63", "invocation (63, 0, 0) has not begun"),
            "delete",
            f"break {place(FLOW, 'behind the second barrier')}",
            "continue",
            "continue",
            "continue",
            ("tessera invocations", re.compile(r"  subgroup 0 has ended\n  subgroup 1 has ended\n\* subgroup 2 runs")),
            ("tessera invocation 1", "has ended, values are the last ones"),
            *self.values(("i", 1), ("sum", -weighed(1))))

    def test_subgroups_without_barriers(self):
        """One after the other, in the same memory."""
        self.session(
            STRAIGHT,
            f"break {place(STRAIGHT, 'the store')}",
            ("run", "[invocation (0, 0, 0): lane 0 of subgroup 0, workgroup (0, 0, 0)]"),
            ("tessera invocations", "* subgroup 0 runs at line 10, live: lanes 0-31\n  subgroup 1 has not begun"),
            ("continue", "[invocation (32, 0, 0): lane 0 of subgroup 1, workgroup (0, 0, 0)]"),
            ("tessera invocations", "  subgroup 0 has ended\n* subgroup 1 runs at line 10, live: lanes 0-31"),
            ("tessera print i", "lane 1   (33, 0, 0)  33"),
            ("tessera lane 2", "[invocation (34, 0, 0): lane 2 of subgroup 1"),
            ("tessera invocation 1", "invocation (1, 0, 0) has ended, and its values are gone"),
            ("continue", "[invocation (66, 0, 0): lane 2 of subgroup 0, workgroup (1, 0, 0)]"),
            *self.values(("i", 66)))

    def test_workgroups(self):
        self.session(
            FLOW,
            f"tbreak {place(FLOW, 'behind the branches')}",
            "run",
            ("tessera workgroup", re.compile(r"^\* thread \d: workgroup \(0, 0, 0\) of 2x2x1, 64x2x1 invocations,"
                                             r" 4 subgroups of 32$")),
            ("tessera invocation 64", "is of workgroup (1, 0, 0), which does not run now; what runs is (0, 0, 0) on"),
            ("tessera invocation x y", "No symbol"),
            "thread 1",
            ("tessera lane", re.compile(r"^thread 1 runs no shader, but thread (\d): `thread \1`$")))

    def test_conditions(self):
        at = place(FLOW, "behind the branches")
        self.session(
            FLOW,
            f"tessera break {at} if i == 203",
            f"tessera break {place(FLOW, 'in the branch')} invocation 100 2",
            f"break {place(FLOW, 'in the function')} if $any_invocation(\"x > 400 && k == 1\")",
            ("info breakpoints", "if ($any_invocation(\"i == 203\"))"),
            # 203 is (75, 1, 0), lane 11 of the third subgroup of workgroup (1, 0, 0).
            ("run", "[invocation (75, 1, 0): lane 11 of subgroup 2, workgroup (1, 0, 0)]"),
            *self.values(("i", 203)),
            # Invocation (100, 2, 0) has 356, which is 2 modulo 3: it takes the other branch.
            ("continue", "weight (x=401, k=1)"),
            ("tessera lane", "invocation (17, 3, 0)"))

    def test_condition_that_is_wrong(self):
        self.session(
            FLOW,
            f"tbreak {place(FLOW, 'in the branch')}",
            "run",
            f"tessera break {place(FLOW, 'behind the branches')} if no_such_name == 1",
            ("continue", "No symbol \"no_such_name\" in current context"))

    def test_print_for_each_lane(self):
        live = "\n".join(f"lane {i:<2}  {f'({i}, 0, 0)':<10}  {-weighed(i):g}" for i in range(1, 32, 3))
        self.session(
            FLOW,
            f"break {place(FLOW, 'in the branch')}",
            "run",
            ("tessera print less", live),
            ("tessera print push.rounds + 2", "lane 1   (1, 0, 0)   5"),
            ("tessera print /all i / 8 * 8", "lanes 0-7    (0, 0, 0)   0\nlanes 8-15   (8, 0, 0)   8"),
            ("tessera print /x i", "lane 31  (31, 0, 0)  0x1f"),
            ("tessera print", "usage: tessera print"),
            ("tessera print nothing", 'No symbol "nothing" in current context'),
            # The lane that was looked at is again.
            *self.values(("i", 1)))

    def test_streams_as_wide_as_the_workgroup(self):
        """Subgroups that run as one: code of a part is that of one subgroup after the other, or of all."""
        self.session(
            WIDE,
            f"break {place(WIDE, 'in the branch')}",
            ("run", "[invocation (0, 0, 0): lane 0 of subgroup 0, workgroup (0, 0, 0)]"),
            ("tessera invocations", re.compile(
                r"\* subgroup 0 runs at line \d+, live: lanes 0-2; not live: 3-31\n  subgroup 1 takes turns")),
            "tessera lane 2",
            *self.values(("i", 2), ("doubled", 4)),
            ("print whole[0][10]", "= 10"),
            ("print whole", "coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator>: 16 rows"),
            "delete",
            f"break {place(WIDE, 'behind the branch')}",
            "continue",
            ("tessera invocation 97", "lane 1 of subgroup 3, workgroup (0, 0, 0); not live here"),
            *self.values(("i", 97), ("doubled", 194)),
            "continue",
            "continue",
            ("continue", "lane 1 of subgroup 3"),
            *self.values(("i", 97), ("doubled", 197)),
            ("tessera print doubled", "subgroup 3, lane 2   (98, 0, 0)   199"),
            ("tessera workgroup", "4 subgroups of 32"))

    def test_fewer_invocations_than_a_subgroup_has(self):
        self.session(
            SMALL,
            f"break {place(SMALL, 'the store')}",
            "run",
            ("continue", "[invocation (5, 0, 0): lane 0 of subgroup 0, workgroup (1, 0, 0)]"),
            ("tessera print i", "lane 9  (9, 1, 0)  19"),
            ("tessera print /all i - i", "lanes 0-9  (5, 0, 0)  0"),
            ("tessera lane 10", "there is no lane 10: this subgroup has 10"),
            ("tessera invocation 6 1", "lane 6"),
            *self.values(("i", 16)),
            ("tessera invocations", "* subgroup 0 runs at line 10, live: lanes 0-9"))

    def test_quads(self):
        self.session(
            QUADS,
            f"break {place(QUADS, 'the store')}",
            ("run", "invocation (0, 0, 0): lane 0"),
            "tessera lane 6",
            ("tessera lane", "[invocation (2, 1, 0): lane 6 of subgroup 0"),
            *self.values(("at", "{x = 2, y = 1}")),
            "continue",
            "continue",
            ("tessera invocation 11 3", "[invocation (11, 3, 0): lane 23 of subgroup 0, workgroup (1, 0, 0)]"),
            *self.values(("at", "{x = 11, y = 3}")))

    def test_debug_break(self):
        self.session(
            "../checks/assert/debug_break.spvasm",
            ("run", re.compile(r"SIGTRAP(.|\n)*; finding\n\[invocation \(8, 0, 0\): lane 8 of subgroup 0")),
            ("tessera invocations", "live: lanes 8-31; not live: 0-7"))

    def test_without_a_shader(self):
        self.session(
            FLOW,
            ("tessera lane", "no program runs"),
            "break main",
            ("run", "main ("),
            ("tessera print 1", "no thread runs a shader that was compiled"),
            ("help tessera", "tessera invocations -- Who is live"))

    def test_found_with_the_driver(self):
        """gdb loads the extension itself, from beside the driver; a program that knows nothing of it."""
        self.session(
            FLOW,
            "set breakpoint pending on",
            f"break {place(FLOW, 'in the branch')}",
            ("run", "[invocation (1, 0, 0): lane 1 of subgroup 0, workgroup (0, 0, 0)]"),
            ("tessera print i", "lane 28  (28, 0, 0)  28"),
            by_hand=True)


if __name__ == "__main__":
    session.main()
