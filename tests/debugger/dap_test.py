#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shaders in gdb 14 and newer, as editors with the Debug Adapter Protocol see them: gdb -i dap.

usage: dap_test.py RUNNER
"""

import json
import subprocess
import sys
import unittest

import harness

RUNNER = sys.argv.pop(1)
FLOW, MATRIX = "flow.comp", "matrix.comp"


class Client(harness.Conversation):
    """Of one session; requests are answered before the next is made."""

    def __init__(self, *arguments):
        self.log, self.count, self.events = [], 0, []
        super().__init__("-i", "dap", *arguments, env=harness.environment(), stderr=subprocess.DEVNULL)

    def read(self):
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            assert line, "gdb has ended:\n" + "\n".join(self.log)
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message = json.loads(self.process.stdout.read(length))
        self.log.append(json.dumps(message))
        if message["type"] == "event":
            self.events.append(message)
        return message

    def send(self, command, **arguments):
        self.count += 1
        text = json.dumps({"seq": self.count, "type": "request", "command": command, "arguments": arguments})
        self.log.append(text)
        self.process.stdin.write(f"Content-Length: {len(text.encode())}\r\n\r\n{text}".encode())
        self.process.stdin.flush()
        return self.count

    def answer(self, number):
        while True:
            message = self.read()
            if message["type"] == "response" and message["request_seq"] == number:
                assert message["success"], message
                return message.get("body")

    def __call__(self, command, **arguments):
        return self.answer(self.send(command, **arguments))

    def event(self, name):
        """The next of this kind, which may have come already."""
        while True:
            for event in self.events:
                if event["event"] == name:
                    self.events.remove(event)
                    return event.get("body")
            self.read()


class DapTest(unittest.TestCase):
    def set_breakpoint(self, client, file, line, **more):
        client("setBreakpoints", source={"name": file, "path": str(harness.FOLDER / file)},
               breakpoints=[{"line": line, **more}])

    def start(self, client, file, line):
        """Runs to a breakpoint; the innermost frame, and its thread."""
        client("initialize", adapterID="gdb", linesStartAt1=True, columnsStartAt1=True, pathFormat="path",
               supportsInvalidatedEvent=True)
        # gdb 14 and 15 answer when the program runs, later ones when all is configured.
        launched = client.send("launch", program=str(RUNNER), args=[str(harness.FOLDER / file)])
        client.event("initialized")
        self.set_breakpoint(client, file, line)
        configured = client.send("configurationDone")
        client.answer(min(launched, configured))
        return self.stop(client)

    def stop(self, client):
        stopped = client.event("stopped")
        self.assertEqual(stopped["reason"], "breakpoint")
        return stopped["threadId"], client("stackTrace", threadId=stopped["threadId"], levels=2)["stackFrames"]

    def variables(self, client, frame):
        """Of all scopes of the frame, by name."""
        found = {}
        for scope in client("scopes", frameId=frame["id"])["scopes"]:
            if scope["name"] != "Registers":
                found.update(self.children(client, scope))
        return found

    def children(self, client, parent):
        answer = client("variables", variablesReference=parent["variablesReference"])
        return {variable["name"]: variable for variable in answer["variables"]}

    def options(self):
        return [*harness.trusted(RUNNER), "-iex", "set breakpoint pending on", "-iex", f"directory {harness.FOLDER}"]

    def test_frames_variables_and_lanes(self):
        line = harness.line_of(FLOW, "in the function")
        with Client(*self.options()) as client:
            thread, frames = self.start(client, FLOW, line)
            self.assertEqual([frame["name"] for frame in frames], ["weight", "main"])
            self.assertEqual((frames[0]["line"], frames[1]["line"]), (line, harness.line_of(FLOW, "in the loop")))
            values = self.variables(client, frames[0])
            self.assertEqual([values[name]["value"] for name in ("x", "k", "scaled")], ["0", "0", "0"])
            rows = self.children(client, values["stage"])
            self.assertEqual(len(rows), 2)
            self.assertEqual(list(self.children(client, list(rows.values())[1]).values())[63]["value"], "191")

            said = client("evaluate", expression="tessera lane 10", context="repl", frameId=frames[0]["id"])
            self.assertIn("lane 10 of subgroup 0", said["result"])
            self.assertEqual(client.event("invalidated")["areas"], ["variables"])
            values = self.variables(client, frames[0])
            self.assertEqual([values[name]["value"] for name in ("x", "scaled")], ["10", "25"])
            watched = client("evaluate", expression="i", context="watch", frameId=frames[1]["id"])
            self.assertEqual(watched["result"], "10")

            client("continue", threadId=thread)
            _, frames = self.stop(client)
            values = self.variables(client, frames[0])
            self.assertEqual([values[name]["value"] for name in ("x", "k")], ["10", "1"])

    def test_condition_and_matrix(self):
        line = harness.line_of(MATRIX, "the product")
        with Client(*self.options()) as client:
            thread, frames = self.start(client, MATRIX, line)
            self.assertEqual(self.variables(client, frames[0])["k"]["value"], "0")
            # gdb (16) forgets breakpoints with conditions that are made before the program runs.
            self.set_breakpoint(client, MATRIX, line, condition='$any_invocation("sums[0][0][0] == 79")')
            client("continue", threadId=thread)
            _, frames = self.stop(client)
            values = self.variables(client, frames[0])
            self.assertEqual(values["k"]["value"], "16")
            rows = self.children(client, values["ma"])
            self.assertEqual(list(rows), [f"row {row}" for row in range(16)])
            cells = self.children(client, rows["row 3"])
            self.assertEqual([cell["value"] for cell in cells.values()], [str((112 + k) % 7) for k in range(16)])


if __name__ == "__main__":
    if harness.gdb_version() < 14:
        harness.skip(f"gdb {harness.gdb_version()} does not have the Debug Adapter Protocol, which came with 14")
    unittest.main()
