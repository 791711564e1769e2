#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shaders in gdb, by the commands that VS Code's cppdbg gives: GDB/MI.

usage: mi_test.py RUNNER
"""

import json
import sys
import unittest

import harness
import mi

RUNNER = sys.argv.pop(1)
FLOW, MATRIX, TYPES = "flow.comp", "matrix.comp", "types.comp"


def configuration():
    """The one of docs/debugging.md, with this machine's folders."""
    page = (harness.FOLDER.parent.parent / "docs/debugging.md").read_text(encoding="utf-8")
    text = page.partition("```json\n")[2].partition("```")[0]
    for written, value in (("${workspaceFolder}/shaders", harness.FOLDER), ("/usr/bin/tessera-run", RUNNER),
                               ("/folder/of/the/driver", harness.tree(RUNNER))):
        assert written in text, written
        text = text.replace(written, str(value))
    return json.loads(text)["configurations"][0]


def client_of():
    return mi.Client({variable["name"]: variable["value"] for variable in configuration()["environment"]})


class MiTest(unittest.TestCase):
    def start(self, client, file, *breakpoints):
        """As cppdbg starts a program. Runs to a breakpoint."""
        launch = configuration()
        for command in (*(command["text"] for command in launch["setupCommands"]),
                        f"-file-exec-and-symbols {launch['program']}", f"-exec-arguments {harness.FOLDER / file}"):
            client(command)
        for text in breakpoints:
            answer = client(f"-break-insert -f {harness.FOLDER}/{harness.place(file, text)}")
            self.assertEqual(answer["bkpt"]["addr"], "<PENDING>")
        return self.stop(client.go("-exec-run"), file, breakpoints[0])

    def stop(self, stopped, file, text):
        self.assertEqual(stopped["reason"], "breakpoint-hit")
        self.assertEqual((stopped["frame"]["file"], stopped["frame"]["line"]), (file, str(harness.line_of(file, text))))
        return stopped

    def children(self, client, variable):
        """By name. Members are below the word "public", as in C++, which editors leave out."""
        found = client(f'-var-list-children --all-values "{variable}" 0 1000')["children"]
        if [child["exp"] for child in found] == ["public"]:
            return self.children(client, found[0]["name"])
        return {child["exp"]: child for child in found}

    def test_frames_variables_and_lanes(self):
        with client_of() as client:
            stopped = self.start(client, FLOW, "in the function", "in the branch")
            thread = stopped["thread-id"]
            frames = client(f"-stack-list-frames --thread {thread} 0 1")["stack"]
            self.assertEqual([frame["func"] for frame in frames], ["weight", "main"])
            self.assertEqual(frames[0]["fullname"], str(harness.FOLDER / FLOW))
            self.assertEqual(frames[1]["line"], str(harness.line_of(FLOW, "in the loop")))
            variables = client(f"-stack-list-variables --thread {thread} --frame 0 --simple-values")["variables"]
            values = {variable["name"]: variable.get("value") for variable in variables}
            self.assertEqual((values["x"], values["k"], values["scaled"]), ("0", "0", "0"))
            self.assertIn("stage", values)
            arguments = client(f"-stack-list-arguments --thread {thread} 1 0 0")["stack-args"]
            self.assertEqual([(a["name"], a["value"]) for a in arguments[0]["args"]], [("x", "0"), ("k", "0")])

            client("-break-delete 1")
            self.stop(client.go("-exec-continue"), FLOW, "in the branch")
            self.assertEqual(client.value("i"), "1")
            self.assertEqual(client.value("less"), "-10.5")
            sum_of = client('-var-create sum_of * "sum"')
            self.assertEqual((sum_of["type"], sum_of["value"]), ("float", "10.5"))
            where = client('-var-create where * "gl_GlobalInvocationID"')
            self.assertEqual(where["type"], "uvec3")
            self.assertEqual({name: child["value"] for name, child in self.children(client, "where").items()},
                             {"x": "1", "y": "0", "z": "0"})
            client('-var-create stage * "stage"')
            self.assertEqual(len(self.children(client, "stage")), 2)
            self.assertEqual(self.children(client, "stage.1")["63"]["value"], "191")

            # Another lane: values of variables that an editor has made change.
            self.assertIn("lane 10 of subgroup 0", client.console("tessera lane 10"))
            changed = {change["name"]: change["value"] for change in client("-var-update --all-values *")["changelist"]}
            self.assertEqual((changed["sum_of"], changed["where.public.x"]), ("78", "10"))
            self.assertEqual(client.value("i"), "10")
            self.assertIn("live: lanes 1, 4, 7, 10", client.console("tessera invocations"))
            with self.assertRaisesRegex(mi.Refused, "there is no lane 50"):
                client.console("tessera lane 50")

            # It stays the same where the program stops next.
            client(f"-break-insert -f {harness.place(FLOW, 'behind the branches')}")
            self.stop(client.go("-exec-continue"), FLOW, "behind the branches")
            self.assertEqual((client.value("i"), client.value("sum")), ("10", "-78"))
            client.go("-exec-next")
            self.assertEqual(client.value("i"), "10")

    def test_conditions(self):
        """As a condition in the editor's breakpoint."""
        with client_of() as client:
            self.start(client, FLOW, "in the function")
            client("-break-delete 1")
            place = harness.place(FLOW, "behind the branches")
            client(f'-break-insert -f -c "$any_invocation(\\"i == 203\\")" {place}')
            self.stop(client.go("-exec-continue"), FLOW, "behind the branches")
            self.assertEqual(client.value("i"), "203")
            self.assertEqual(client.value("gl_GlobalInvocationID.y"), "1")

    def test_matrices(self):
        with client_of() as client:
            self.start(client, MATRIX, "the product")
            name = "coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>"
            made = client('-var-create ma * "ma"')
            self.assertEqual(made["type"], name)
            rows = self.children(client, "ma")
            self.assertEqual(list(rows), [f"row {row}" for row in range(16)])
            cells = self.children(client, rows["row 3"]["name"])
            self.assertEqual([cell["value"] for cell in cells.values()], [str((96 + k) % 7) for k in range(16)])
            # The second round of the loop.
            self.stop(client.go("-exec-continue"), MATRIX, "the product")
            client("-var-update --all-values ma")
            cells = self.children(client, rows["row 3"]["name"])
            self.assertEqual([cell["value"] for cell in cells.values()], [str((112 + k) % 7) for k in range(16)])

    def test_arrays_and_small_types(self):
        with client_of() as client:
            self.start(client, TYPES, "all are set")
            client.console("tessera lane 5")
            client('-var-create list * "list"')
            self.assertEqual([child["value"] for child in self.children(client, "list").values()],
                             [str(5 * k) for k in range(24)])
            client('-var-create rows * "uniforms.rows"')
            columns = self.children(client, "rows")
            cells = self.children(client, next(iter(columns.values()))["name"])
            self.assertEqual([cell["value"] for cell in cells.values()], ["108", "112", "116"])
            self.assertEqual([client.value(name) for name in ("bf16", "e4m3", "e5m2", "u8", "odd")],
                             ["3.5", "1.25", "-1.25", "205", "true"])
            variables = client("-stack-list-variables --all-values")["variables"]
            values = {variable["name"]: variable["value"] for variable in variables}
            self.assertEqual(values["shorts"], "{5, 6, 7, 8}")


if __name__ == "__main__":
    harness.gdb()
    unittest.main()
