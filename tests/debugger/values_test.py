#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Values of all types, in all memory, in gdb.

usage: values_test.py RUNNER
"""

import re

import session
from harness import place

MATRIX, TYPES, LINES, LARGE = "matrix.comp", "types.comp", "lines.comp", "large.comp"
MOVED, PARTLY = "moved.comp", "partly.comp"


class ValuesTest(session.SessionTest):
    def test_types_of_an_invocation(self):
        self.session(
            TYPES,
            f"break {place(TYPES, 'all are set')}",
            "run",
            "tessera lane 5",
            *self.values(
                ("odd", "true"), ("several", "{x = true, y = true, z = false}"),
                ("s8", -5), ("u8", 205), ("s16", -305), ("u16", 60005), ("s32", -70005),
                ("s64", -5000000005), ("u64", 18000000000000000005),
                ("f16", 5.5), ("f64", 5.25), ("bf16", 3.5), ("e4m3", 1.25), ("e5m2", -1.25),
                ("bytes", "{x = 1, y = 2, z = 3, w = 5}"), ("longs", "{x = 5, y = -1}"),
                ("turn", "{{x = 1, y = 2, z = 3}, {x = 4, y = 5, z = 5}}"), ("turn[1].z", 5),
                ("outer.inner", "{{at = {x = 5, y = 1}, count = 5}, {at = {x = 2, y = 5}, count = 6}}"),
                ("outer.flag", "true"), ("outer.turn[0]", "{x = 1, y = 2, z = 3}"),
                ("list", "{" + ", ".join(str(5 * k) for k in range(24)) + "}"), ("list[23]", 115),
                ("shorts", "{5, 6, 7, 8}")),
            ("ptype outer.inner", "vec2 at;"),
            ("ptype e4m3", "type = uint8_t"),
            ("whatis e4m3", "type = floate4m3_t"),
            ("tessera print bf16", "lane 31  (31, 0, 0)  16.5"),
            ("tessera print odd ? s8 : 0", "lane 31  (31, 0, 0)  -31"))

    def test_memory(self):
        self.session(
            TYPES,
            f"break {place(TYPES, 'all are set')}",
            "run",
            *self.values(
                # Behind a dynamic offset; scalar, std140 and std430 layouts; an inline uniform block.
                ("numbers", "{8, 9, 10, 11, 12, 13, 14, 15}"),
                ("smalls.small", "{a = 200, b = -3, c = 60000, d = -1234, e = 1, f = 1.5, g = 0.125}"),
                ("uniforms.matrix", "{{x = 100, y = 101, z = 102}, {x = 104, y = 105, z = 106}}"),
                ("uniforms.rows", "{{x = 108, y = 112, z = 116}, {x = 109, y = 113, z = 117}}"),
                ("uniforms.rows[1].z", 117),
                ("inlined", "{x = 0, y = 11, z = 22, w = 33}"),
                ("push.factor", 2.5), ("push.rounds", 3), ("push.chain->tag", 77), ("chain.next.values[3]", 4.5),
                ("*chain.next", "{values = {0, 1.5, 3, 4.5, 6, 7.5, 9, 10.5}}"),
                ("together.inner[1].count", 9), ("together.flag", "true"),
                ("together.turn[1]", "{x = 4, y = 5, z = 0}"),
                ("halves", "{5, 5, 65535}"),
                # Arrays that end where their buffers do.
                ("points", "{{x = 4, y = 5, z = 6}, {x = 8, y = 9, z = 10}, {x = 12, y = 13, z = 14}}"),
                ("points[2].z", 14), ("sizeof(points) / sizeof(points[0])", 3)))

    def test_names_and_lines_alone(self):
        self.session(
            LINES,
            f"break {place(LINES, 'in the function')}",
            f"break {place(LINES, 'the store')}",
            ("run", LINES),
            "tessera lane 6",
            *self.values(("number", 6), ("product", 36)),
            ("continue", "results[i] = sum;"),
            *self.values(("i", 6), ("sum", 39), ("three", 3)),
            "continue",
            ("continue", "results[i] = sum;"),
            *self.values(("i", 38), ("sum", 38 * 38 + 3)))

    def test_matrices(self):
        def a(row, column):
            return (32 * row + column) % 7

        def b(row, column):
            return (16 * row + column) % 5

        def product(row, column, depth):
            return sum(a(row, k) * b(k, column) for k in range(depth))

        def table(use, element, rows):
            width = max(len(str(n)) for row in rows for n in row)
            lines = [f"  {k:2}: " + " ".join(f"{n:{width}}" for n in row) for k, row in enumerate(rows)]
            name = f"coopmat<{element}, gl_ScopeSubgroup, 16, 16, gl_MatrixUse{use}>"
            return "\n".join([f"{name}: 16 rows, 16 columns", *lines])

        def rows(element):
            return [[element(row, column) for column in range(16)] for row in range(16)]

        self.session(
            MATRIX,
            f"break {place(MATRIX, 'the product')}",
            f"break {place(MATRIX, 'the store')}",
            "run",
            ("print ma", table("A", "float16_t", rows(a))),
            ("print mb", table("B", "float16_t", rows(b))),
            *self.values(("ma[3][4]", a(3, 4)), ("sums[1][15][15]", 7), ("k", 0)),
            "continue",
            # The second round of the loop.
            ("print ma", table("A", "float16_t", rows(lambda r, c: a(r, c + 16)))),
            ("print sums", table("Accumulator", "float", rows(lambda r, c: product(r, c, 16)))),
            ("print sums[1]", table("Accumulator", "float", rows(lambda r, c: 7))),
            *self.values(("k", 16)),
            ("continue", "coopMatStore"),
            ("info locals", table("Accumulator", "float", rows(lambda r, c: product(r, c, 32)))),
            ("tessera print sums[0][2][3]", f"lanes 0-31  (0, 0, 0)  {product(2, 3, 32)}"),
            "set print elements 3",
            ("print sums[1]", re.compile(r"16 columns\n   0: 7 7 7 \.\.\.\n.*\n   2: 7 7 7 \.\.\.\n  \.\.\.$")))

    def test_numbers_that_move_from_lane_to_lane(self):
        own = [f"lane {lane:<2}  {f'({lane % 16}, {2 + lane // 16}, 0)':10}" for lane in range(32)]
        self.session(
            MOVED,
            *(f"tessera break {place(MOVED, text)} invocation 5 3"
              for text in ("in the function", "in the loop", "in the branch", "the store")),
            "run",
            *self.values(("from", "{x = 5, y = 3}"), ("next", "{x = 11, y = 7}")),
            ("continue", "in the loop"),
            *self.values(("k", 53), ("twice", 106), ("sum", 18)),
            ("continue", "in the loop"),
            *self.values(("k", 181), ("twice", 362), ("sum", 124)),
            "tessera lane 0",
            *self.values(("k", 160), ("twice", 320)),
            "delete 2",
            ("continue", "in the branch"),
            *self.values(("inside", 0), ("half_of", 1.5)),
            ("tessera print inside", "lane 15  (15, 2, 0)  10\nlane 21  (5, 3, 0)   0"),
            ("tessera invocations", re.compile(r"0 has ended\n\* subgroup 1 runs .*\n  subgroup 2 has not begun")),
            ("continue", "the store"),
            *self.values(("at", "{x = 5, y = 3}"), ("gl_LocalInvocationID", "{x = 5, y = 3, z = 0}"), ("down", -8),
                         ("far", -265000000000), ("near", -6), ("is_low", "true"), ("kept", 50)),
            ("tessera print down", "\n".join(f"{lane}  {7 - 3 * (k % 16)}" for k, lane in enumerate(own))),
            ("tessera print kept", "\n".join(f"{lane}  {10 * (k % 16)}" for k, lane in enumerate(own))))

    def test_code_that_runs_in_two_versions(self):
        for text, name, firsts in (("in the function", "both", (0, 64, 128)), ("in the branch", "i", (0, 32, 64)),
                                   ("in the loop", "k", (0, 100, 32, 132, 64, 96))):
            stops = [step for first in firsts for step in (("continue", text), *self.values((name, first)))]
            self.session(PARTLY, f"break {place(PARTLY, text)}", "run", *stops[1:],
                         ("continue", re.compile("exited normally")))

    def test_the_beginning(self):
        self.session(
            LARGE,
            f"break {place(LARGE, 'the beginning')}",
            "run",
            # Where there are variables or not, nothing fails.
            ("tessera lane", re.compile("lane 0 of subgroup 0|the shader has only begun")),
            ("continue", re.compile("exited normally")))

    # By itself: some of the code of the store may stand in front of the line before it.
    def test_large_buffers(self):
        self.session(
            LARGE,
            f"break {place(LARGE, 'the store')}",
            ("run", "results[i] = "),
            ("ptype data", "type = uint [262144]"),
            ("output data", re.compile(r"^\{0, 1, 2, .* 199\.\.\.\}$")),
            ("output data[262143]", "262143"))


if __name__ == "__main__":
    session.main()
