# SPDX-License-Identifier: Apache-2.0

"""Which cases a run has: lists and patterns, expanded by deqp-vk itself."""

import fnmatch
import random
import subprocess
import tempfile
from pathlib import Path


class CaseListError(Exception):
    pass


def read_words(arguments):
    """Lines of the list files among the arguments, and the other arguments as they are."""
    words = []
    for argument in arguments:
        path = Path(argument)
        if path.is_file():
            lines = (line.split("#")[0].strip() for line in path.read_text().splitlines())
            words += [line for line in lines if line]
        elif "*" in argument or argument.lstrip("!").startswith("dEQP-"):
            words.append(argument)
        else:
            raise CaseListError(f"{argument} is no file, and no pattern of cases either")
    return words


def expand(words, deqp):
    """Names of the cases. A word is a name, a pattern with `*`, or a pattern behind `!`, whose cases
    are left out. Names stay as they are: that deqp-vk does not know one is a result, too."""
    patterns = [word for word in words if "*" in word and not word.startswith("!")]
    excluded = [word[1:].strip() for word in words if word.startswith("!")]
    names = [word for word in words if "*" not in word and not word.startswith("!")]
    if patterns:
        names += _export(patterns, deqp)
    names = dict.fromkeys(names)  # once each, in order
    return [
        name
        for name in names
        if not any(fnmatch.fnmatchcase(name, pattern) for pattern in excluded)
    ]


def sample(names, count, seed):
    """`count` of the names, in their order: the same ones for the same seed."""
    if count >= len(names):
        return names
    chosen = random.Random(seed).sample(range(len(names)), count)
    return [names[index] for index in sorted(chosen)]


def _export(patterns, deqp):
    with tempfile.TemporaryDirectory(prefix="cts-runs.") as folder:
        command = deqp.command(
            "--deqp-runmode=txt-caselist",
            f"--deqp-caselist-export-file={folder}/${{packageName}}.txt",
            f"--deqp-case={','.join(patterns)}",
            f"--deqp-log-filename={folder}/log.qpa",
        )
        outcome = subprocess.run(
            command, cwd=deqp.program.parent, capture_output=True, text=True, errors="replace"
        )
        # Each package of tests has a file, in the order in which they were written.
        files = sorted(Path(folder).glob("*.txt"), key=lambda path: path.stat().st_mtime_ns)
        lines = [line for path in files for line in path.read_text().splitlines()]
    names = [line[len("TEST: ") :] for line in lines if line.startswith("TEST: ")]
    if not names:
        said = (outcome.stdout + outcome.stderr).strip().splitlines()
        raise CaseListError(
            f"deqp-vk knows no case of {' '.join(patterns)}" + (f": {said[-1]}" if said else "")
        )
    return names
