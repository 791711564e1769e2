#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds docs/architecture/pass-list.md against jit/pipeline/passes.def, of which it is made.

usage: pass_list.py <root of the tree>           exit status 1 if the page is another
       pass_list.py <root of the tree> --write   writes it
"""
import pathlib
import re
import sys

from readme_tables import calls, table

PAGE = "docs/architecture/pass-list.md"
HEAD = """# The list of passes

All passes over LLVM IR, in their order: on which functions each runs, what it is for, and the headers that say the
rest. It is made of `jit/pipeline/passes.def` by `tests/pass_list.py --write`; [passes.md](passes.md) explains them
together, and `tessera-compile --passes` prints the list.
"""
KINDS = ("STAGE", "DUMP", "MODULE_PASS", "FUNCTION_PASS", "SPEED_PASS", "CLEANUP_PASS")
NAME = re.compile(r"\b([a-z]\w*)\(")  # a function, where it is declared or called


def units(root):
    """PassUnit's names, each with its comment."""
    text = (root / "jit/pipeline/passes.h").read_text()
    body = re.search(r"enum class PassUnit[^{]*\{(.*?)\};", text, re.S)[1]
    return re.findall(r"^ *(\w+), *// (.*)$", body, re.M)


class Headers:
    """Which headers declare what a pass calls."""

    def __init__(self, root):
        source = (root / "jit/pipeline/passes.cpp").read_text()
        self.declared = {}  # function -> header
        for header in re.findall(r'^#include "(jit/(?:codegen|coopmat|passes|simt)/.*)"$', source, re.M):
            for line in re.findall(r"^[a-zA-Z].*\(.*$", (root / header).read_text(), re.M):
                self.declared.setdefault(NAME.search(line)[1] if NAME.search(line) else "", header)
        # The list's own functions, with what they call.
        self.local = {
            function: NAME.findall(body)
            for function, body in re.findall(r"^[a-zA-Z].*\b(\w+)\([^;{]*\{\n((?:[^}\n].*\n|\n)*)\}", source, re.M)
        }

    def of(self, work):
        names = NAME.findall(work)
        names += [called for name in names for called in self.local.get(name, ())]
        return sorted({self.declared[name] for name in names if name in self.declared})


def page(root):
    headers = Headers(root)
    parts = [HEAD.rstrip("\n"), table(["functions", "which"], [[f"`{name}`", text] for name, text in units(root)])]
    lines = []

    def close():
        if lines:
            parts.append(table(["pass", "on", "what it is for", "headers"], lines))
            lines.clear()

    for kind, arguments in calls(root / "jit/pipeline/passes.def", *KINDS):
        if kind == "STAGE":
            close()
            parts.append("## " + arguments[0].capitalize())
        elif kind == "DUMP":
            lines.append(["", "", f"`TESSERA_DUMP` has the module here, as `{arguments[0]}`", ""])
        else:
            unit, text = 1, 1 if kind == "MODULE_PASS" else 2
            name, work = arguments[0], ",".join(arguments[text + 1:])
            where = f"`{arguments[unit]}`" if unit < text else "module"
            if kind == "CLEANUP_PASS":
                where += ", those that have changed"
            if kind == "SPEED_PASS":
                where += "; not for debuggers"
            found = [f"[{header[4:]}](../../{header})" for header in headers.of(work)]
            lines.append([f"`{name}`", where, arguments[text], ", ".join(found)])
    close()
    return "\n\n".join(parts) + "\n"


def main():
    root = pathlib.Path(sys.argv[1])
    wanted = page(root)
    if "--write" in sys.argv[2:]:
        (root / PAGE).write_text(wanted)
        return 0
    path = root / PAGE
    if path.exists() and path.read_text() == wanted:
        return 0
    print(f"{PAGE} does not show jit/pipeline/passes.def as it is; python3 tests/pass_list.py . --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
