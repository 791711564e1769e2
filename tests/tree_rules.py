# SPDX-License-Identifier: Apache-2.0
"""Rules of the tree that no compiler sees.

    tree_rules.py ROOT

- No file of code has more than 400 lines. Pages, tables (.def), data and records may.
- icd/ includes jit/ and runtime/, jit/ includes runtime/, runtime/ neither; none of them includes what is
  there for tests, tools and benchmarks. In runtime/, what only generated code calls is kernel_library/'s own.
- Each room of jit/ includes those rooms that ROOMS gives it, all of which stand above its own row: no arrow
  runs back up.
- Each file of code says its licence in its first lines. Kernel files, which are data, need not.
- In jit/, nothing is told by its name but symbols, in the files of SYMBOLS: what a function is, its metadata says
  (jit/ir/function_kind.h).
- Files of the driver's that a unity build may compile as one (CMakeLists.txt names those that it may not)
  define a constant, a type or a function in an anonymous namespace once.

Prints each breach, and exits with 1 if there is one; with 77 where there is no repository, or no git, to ask.
"""

import pathlib
import re
import shutil
import subprocess
import sys

MOST_LINES = 400
CODE = {".cpp", ".h", ".def", ".py", ".cmake", ".glsl"}
NAMES = {"CMakeLists.txt"}
SCRIPTS = re.compile(r"^(scripts|bench|cts-runs|packaging)/[^./]+$")
MAY_INCLUDE = {"icd": {"icd", "jit", "runtime"}, "jit": {"jit", "runtime"}, "runtime": {"runtime"}}
# Of jit/: a room, and which others its files may include. "" is the interface: compiler.* and kernel_binary.*.
ROOMS = {
    "matrix": "",
    "base": "matrix",
    "ir": "matrix base",
    "math": "base ir",
    "simt": "base ir",
    "passes/code": "base ir",
    "passes/access": "base ir simt passes/code",
    "passes/masks": "base ir passes/access",
    "passes/workgroup": "base ir passes/access",
    "passes/machine": "base ir math passes/access",
    "ukernel": "matrix base ir math simt",
    "coopmat": "matrix base ir simt passes/code ukernel",
    "codegen": "base ir",
    "spirv": "matrix base ir",
    "analysis": "base spirv",
    "emit": "matrix base ir math simt spirv analysis",
    "pipeline": "base ir simt passes/code passes/access passes/masks passes/workgroup passes/machine"
                " coopmat codegen",
    "": "matrix base ir ukernel codegen spirv emit pipeline",
}
OF_JIT = re.compile(r'^\s*#\s*include\s+"jit/((?:[\w.]+/)*)[\w.]+"', re.MULTILINE)
KERNEL_LIBRARY = re.compile(r'^\s*#\s*include\s+"runtime/kernel_library/', re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^/"]+)/', re.MULTILINE)

# Names that are compared or searched for, of functions, values and data; and who looks for symbols: the kernel, and
# what generated code calls.
BY_NAME = re.compile(
    r"getName\(\)\)?\s*(?:[=!]=|\.(?:starts_with|ends_with|contains|find|equals|consume_front)\b)"
    r"|[=!]=\s*[\w.>()-]*getName\(\)|\bget(?:Function|GlobalVariable|NamedGlobal|NamedValue|NamedAlias)\([^)]")
SYMBOLS = {"jit/codegen/session.cpp", "jit/compiler.cpp", "jit/ir/symbols.cpp", "jit/pipeline/pass_runner.cpp",
           "jit/pipeline/passes.cpp"}

ALONE = re.compile(r'^tessera_compile_alone\(\s*\w+\s+"([^"]+)"', re.MULTILINE)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{$", re.MULTILINE)
ANONYMOUS = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
DEFINES = re.compile(
    r"^(?:(?:constexpr|const|inline|static)\b[^=;({]*?\b(?P<constant>k[A-Z]\w*)(?:\[\w*\])*\s*[={]"
    r"|(?:class|struct|union|enum(?: class)?) (?P<type>\w+)[^;]*$"
    r"|[a-z][^;=(]*?\b(?P<function>\w+)\((?P<parameters>[^;{]*)\)[^;{]*\{)", re.MULTILINE)


def files(root):
    # Whoever owns the tree: nothing of it is run.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, check=True)
    return [name for name in listed.stdout.decode().split("\0") if name and (root / name).is_file()]


def breaches(root):
    for name in files(root):
        path = pathlib.PurePath(name)
        if path.suffix not in CODE and path.name not in NAMES and not SCRIPTS.match(name):
            continue
        text = (root / name).read_text(encoding="utf-8")
        lines = text.count("\n")
        if path.suffix != ".def" and lines > MOST_LINES:
            yield f"{name} has {lines} lines; {MOST_LINES} are the most: split it"
        if not any("SPDX-License-Identifier" in line for line in text.split("\n")[:3]):
            yield f"{name} does not say its licence in its first three lines"
        if path.parts[0] == "jit" and name not in SYMBOLS:
            for found in BY_NAME.finditer(text):
                yield f"{name} tells by a name what something is: {found[0]}"
        allowed = MAY_INCLUDE.get(path.parts[0])
        for folder in INCLUDE.findall(text) if allowed else ():
            if folder not in allowed:
                yield f"{name} includes {folder}/, which {path.parts[0]}/ must not"
        if path.parts[0] == "runtime" and path.parts[1] != "kernel_library" and KERNEL_LIBRARY.search(text):
            yield f"{name} includes runtime/kernel_library/, which is for generated code"


def back_up(root):
    """Breaches of the order of jit/'s rooms, and rooms that have no row or no files."""
    rows = list(ROOMS)
    for k, room in enumerate(rows):
        for other in ROOMS[room].split():
            if other not in rows[:k]:
                yield f"tests/tree_rules.py lets jit/{room} include jit/{other}, which has no row above it"
    found = set()
    for path in (pathlib.PurePath(name) for name in files(root)):
        if path.parts[0] != "jit" or path.suffix not in {".cpp", ".h", ".def"}:
            continue
        room = "/".join(path.parts[1:-1])
        found.add(room)
        for folder in OF_JIT.findall((root / path).read_text(encoding="utf-8")):
            other = folder.rstrip("/")
            if room in ROOMS and other != room and other not in ROOMS[room].split():
                yield f"{path} includes jit/{other}, which jit/{room} must not"
    for room in found ^ set(ROOMS):
        yield f"jit/{room} has files, or a row in tests/tree_rules.py, but not both"


def defined_once(root):
    """Breaches of the last rule: one definition hides in another's file until their batch is the same."""
    names = [pathlib.PurePath(name) for name in files(root)]
    for room in MAY_INCLUDE:
        rows = (root / room / "CMakeLists.txt").read_text(encoding="utf-8")
        alone = [re.compile(expression) for expression in ALONE.findall(rows)]
        seen = {}
        for path in names:
            within = str(path.relative_to(room)) if path.parts[0] == room else ""
            if path.suffix != ".cpp" or not within or any(a.search(within) for a in alone):
                continue
            text = (root / path).read_text(encoding="utf-8")
            inside = NAMESPACE.search(text)
            for match in (m for part in ANONYMOUS.findall(text) for m in DEFINES.finditer(part)):
                name = match["constant"] or match["type"] or match["function"]
                # Functions may be overloaded: parameters without their names.
                types = re.sub(r"\s*\b\w+\s*(,|$)", r"\1", match["parameters"] or "")
                key = (inside and inside[1], name, re.sub(r"\s+", " ", types))
                if seen.setdefault(key, path) != path:
                    yield f"{path} defines {name}, which {seen[key]} does too: a unity build cannot have both"


def main():
    root = pathlib.Path(sys.argv[1])
    if not (root / ".git").exists() or shutil.which("git") is None:
        print("not run: there is no git repository, or no git, to tell which files are the tree's")
        return 77
    found = [*breaches(root), *back_up(root), *defined_once(root)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
