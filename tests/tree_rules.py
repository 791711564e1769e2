# SPDX-License-Identifier: Apache-2.0
"""Rules of the tree that no compiler sees.

    tree_rules.py ROOT

- No file of code has more than 400 lines. Pages, tables (.def), data and records may.
- icd/ includes jit/ and runtime/, jit/ includes runtime/, runtime/ neither; none of them includes what is
  there for tests, tools and benchmarks.
- Each file of code says its licence in its first lines. Kernel files, which are data, need not.

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
SCRIPTS = re.compile(r"^(scripts|bench|cts-runs)/[^./]+$")
MAY_INCLUDE = {"icd": {"icd", "jit", "runtime"}, "jit": {"jit", "runtime"}, "runtime": {"runtime"}}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^/"]+)/', re.MULTILINE)


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
        allowed = MAY_INCLUDE.get(path.parts[0])
        for folder in INCLUDE.findall(text) if allowed else ():
            if folder not in allowed:
                yield f"{name} includes {folder}/, which {path.parts[0]}/ must not"


def main():
    root = pathlib.Path(sys.argv[1])
    if not (root / ".git").exists() or shutil.which("git") is None:
        print("not run: there is no git repository, or no git, to tell which files are the tree's")
        return 77
    found = list(breaches(root))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
