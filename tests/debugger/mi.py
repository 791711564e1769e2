# SPDX-License-Identifier: Apache-2.0
"""A client of GDB/MI ("The GDB/MI Interface" in Debugging with GDB), as editors are."""

import re
import subprocess

import harness

STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
NAME = re.compile(r"([\w-]+)=")
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


class Parser:
    """Of the results of one record: strings, dictionaries and lists."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def take(self, text):
        found = self.text.startswith(text, self.at)
        self.at += len(text) if found else 0
        return found

    def value(self):
        if self.take("{"):
            return self.results("}")
        if self.take("["):
            return self.items()
        string = STRING.match(self.text, self.at)
        self.at = string.end()
        return re.sub(r"\\([0-7]{3}|.)", lambda m: ESCAPES.get(m[1]) or chr(int(m[1], 8)), string[1])

    def result(self):
        name = NAME.match(self.text, self.at)
        self.at = name.end()
        return name[1], self.value()

    def results(self, end):
        found = {}
        while not self.take(end):
            name, value = self.result()
            found[name] = value
            self.take(",")
        return found

    def items(self):
        """Values, or results of which the names are all the same."""
        found = []
        while not self.take("]"):
            found.append(self.result()[1] if NAME.match(self.text, self.at) else self.value())
            self.take(",")
        return found


class Refused(Exception):
    """gdb's answer is ^error."""


class Client(harness.Conversation):
    def __init__(self, variables):
        self.log, self.count, self.stops = [], 0, []
        super().__init__("--interpreter=mi", text=True, errors="replace", env=harness.environment(**variables),
                         stderr=subprocess.STDOUT)

    def read(self):
        line = self.process.stdout.readline()
        assert line, "gdb has ended:\n" + "".join(self.log)
        self.log.append(line)
        record = re.match(r"(\d*)([\^*])([\w-]+),?(.*)", line)
        if record is None:
            return None
        results = Parser(record[4] + "\n").results("\n")
        if record[2] == "*" and record[3] == "stopped":
            self.stops.append(results)
        return record[1], record[2], record[3], results

    def __call__(self, command):
        """The results of a command."""
        self.count += 1
        self.log.append(f"{self.count}{command}\n")
        self.process.stdin.write(self.log[-1])
        self.process.stdin.flush()
        while True:
            record = self.read()
            if record and record[:2] == (str(self.count), "^"):
                if record[2] == "error":
                    raise Refused(record[3]["msg"])
                return record[3]

    def console(self, command):
        """What a command of the console prints."""
        before = len(self.log)
        quoted = command.replace("\\", "\\\\").replace('"', '\\"')
        self(f'-interpreter-exec console "{quoted}"')
        return "".join(Parser(line[1:]).value() for line in self.log[before:] if line.startswith("~"))

    def go(self, command):
        """Until the program stops."""
        self(command)
        while not self.stops:
            self.read()
        return self.stops.pop(0)

    def value(self, expression):
        quoted = expression.replace('"', '\\"')
        return self(f'-data-evaluate-expression "{quoted}"')["value"]
