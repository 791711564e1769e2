# SPDX-License-Identifier: Apache-2.0
"""Debuggers that run tessera-run with a kernel file of this folder.

Sessions are scripts: what a debugger prints is looked at when it has ended, so nothing depends on time but a limit that
ends what hangs. Where a debugger is not there, or may not look at its own child, tests are skipped with the reason.
"""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

FOLDER = pathlib.Path(__file__).resolve().parent
LIMIT = 300  # seconds, for what takes a few
SKIPPED = 77


def environment(**more):
    """One thread, so that one workgroup runs after the other."""
    return {**os.environ, "TESSERA_DEBUG": "1", "TESSERA_THREADS": "1", "LC_ALL": "C.UTF-8", "DEBUGINFOD_URLS": "",
            **more}


def skip(reason):
    print("skipped:", reason)
    sys.exit(SKIPPED)


def output_of(command, folder=None, **more):
    process = subprocess.run(command, env=environment(**more), cwd=folder, text=True, errors="replace",
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             timeout=LIMIT, check=False)
    return process.stdout


@functools.cache
def gdb():
    """Its path. Ends the test where there is none that can be used."""
    path = shutil.which("gdb")
    if path is None:
        skip("there is no gdb")
    said = output_of([path, "-nx", "-batch", "-ex", "python print('python', 3)", "-ex", "run", "--args", "/bin/true"])
    if "python 3" not in said:
        skip("this gdb has no Python")
    if "exited normally" not in said:
        skip(f"gdb cannot run a program here: {said.strip()}")
    return path


class Conversation:
    """With a gdb that is asked and answers, by its standard streams. It is ended when that takes too long."""

    def __init__(self, *arguments, **options):
        self.process = subprocess.Popen([gdb(), "-nx", "-q", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, **options)
        self.limit = threading.Timer(LIMIT, self.process.kill)
        self.limit.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.limit.cancel()


def gdb_version():
    return int(re.search(r"(\d+)\.\d+[.\d-]*\s*$", output_of([gdb(), "--version"]).split("\n", maxsplit=1)[0])[1])


def line_of(file, text):
    """The number of the line that says this in a comment."""
    found = [number for number, line in enumerate((FOLDER / file).read_text().split("\n"), 1)
             if line.endswith("// " + text)]
    assert len(found) == 1, (file, text, found)
    return found[0]


def place(file, text):
    return f"{file}:{line_of(file, text)}"


def tree(runner):
    """The folder that has all that is built."""
    return pathlib.Path(runner).resolve().parent.parent


def trusted(runner):
    """Options by which gdb takes the extension from there."""
    return ["-iex", f"add-auto-load-safe-path {tree(runner)}"]


def gdb_session(runner, file, commands, by_hand=False, **more):
    """What each command has printed; errors are text, too. `by_hand`: without `tessera-run --debug`."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "commands.json"
        path.write_text(json.dumps(["set pagination off", *commands]))
        options, program = ["-nx", "-q", "-batch", "-x", str(FOLDER / "in_gdb.py")], [str(runner), str(FOLDER / file)]
        command = [*program, "--debug", "--", *options]
        if by_hand:
            command = [gdb(), *trusted(runner), *options, "--args", *program]
        said = output_of(command, TESSERA_TEST_COMMANDS=str(path), **more)
    parts = said.split("\x1e")[2:]
    assert len(parts) == len(commands), said
    return [part.strip() for part in parts]
