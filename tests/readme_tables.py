#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the README's tables against the .def files that they show.

usage: readme_tables.py <root of the tree>           exit status 1 if one differs
       readme_tables.py <root of the tree> --write   writes them
"""
import pathlib
import re
import sys


def calls(path, *macros):
    """(macro, arguments) of each `macro(...)` in the file: strings unquoted, neighbours joined."""
    text = re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.M)
    token = re.compile(r'"((?:[^"\\]|\\.)*)"|([(),])|([^\s"(),]+)')
    for start in re.finditer(rf"^({'|'.join(macros)})\(", text, re.M):
        arguments, depth = [""], 1
        for match in token.finditer(text, start.end()):
            literal, mark, word = match.groups()
            depth += {"(": 1, ")": -1}.get(mark, 0)
            if depth == 0:
                break
            if mark == "," and depth == 1:
                arguments.append("")
            elif literal is not None:
                arguments[-1] += re.sub(r"\\(.)", r"\1", literal)
            else:
                arguments[-1] += mark or word
        yield start[1], arguments


def rows(path, macro):
    return (arguments for _, arguments in calls(path, macro))


def table(heads, lines):
    def show(cells):
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([show(heads), "|---" * len(heads) + "|", *(show(line) for line in lines)])


def variables(root):
    lines = []
    for _, _, name, default, values, text in rows(root / "runtime/config.def", "CONFIG_OPTION"):
        lines.append([f"`{name}`", f"`{default}`" if default else "", values, text])
    return table(["Variable", "Default", "Values", "Meaning"], lines)


def matrices(root):
    kinds = {}  # component types -> sizes, and whether there are saturating rows
    for row in rows(root / "jit/matrix/shapes.def", "SHAPE"):
        scope, m, n, k, *types, saturating = row
        sizes = kinds.setdefault((scope, *types), {"false": [], "true": []})
        sizes[saturating].append(f"{m}x{n}x{k}")
    lines = []
    for (scope, *types), sizes in kinds.items():
        cells = [", ".join(sizes["false"]), ", ".join(sizes["true"])]
        lines.append([scope, *(name.lower() for name in types), *cells])
    return table(["Scope", "A", "B", "C", "Result", "M x N x K", "also saturating"], lines)


def flexible_matrices(root):
    kinds = {}  # granularity and component types -> whether there is a saturating row
    for *kind, saturating in rows(root / "jit/matrix/flexible.def", "FLEXIBLE"):
        kinds[tuple(kind)] = kinds.get(tuple(kind), False) or saturating == "true"
    lines = []
    for (m, n, k, *types), saturating in kinds.items():
        granularity = f"{m}x{n}x{k}"
        lines.append([*(name.lower() for name in types), granularity, granularity if saturating else ""])
    return table(["A", "B", "C", "Result", "multiples of M x N x K", "also saturating"], lines)


def extensions(root):
    found = rows(root / "icd/extensions.def", "EXTENSION")
    return ", ".join(f"`VK_{name}`" for kind, name, _ in found if kind == "Device") + "."


PARTS = {
    "runtime/config.def": variables,
    "jit/matrix/shapes.def": matrices,
    "jit/matrix/flexible.def": flexible_matrices,
    "icd/extensions.def": extensions,
}


def main():
    root = pathlib.Path(sys.argv[1])
    readme = root / "README.md"
    text = readme.read_text()
    differing = []
    for source, show in PARTS.items():
        begin, end = f"<!-- from {source} by tests/readme_tables.py -->\n", "<!-- end -->"
        before, mark, rest = text.partition(begin)
        found, _, after = rest.partition(end)
        wanted = show(root) + "\n"
        if not mark:
            print(f"README.md has no place for {source}: a line {begin}")
            return 1
        if found != wanted:
            differing.append(source)
            text = before + begin + wanted + end + after
    if "--write" in sys.argv[2:]:
        readme.write_text(text)
        return 0
    for source in differing:
        print(f"README.md does not show {source} as it is; python3 tests/readme_tables.py . --write")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
