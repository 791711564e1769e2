# SPDX-License-Identifier: Apache-2.0

"""Which cases a run has: lists and patterns, expanded by deqp-vk itself."""

import random
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from runner.waivers import pattern_of_any

_EXPORT_SECONDS = 600  # a deqp-vk with all its cases takes ten to name them
_INCLUDE = re.compile(r"@(\S+)(?:\s+(\d+))?")
_CASE = re.compile(r"!?\s*(dEQP-|\S*\*)\S*")


class CaseListError(Exception):
    pass


@dataclass
class CaseList:
    """Names, patterns with `*`, and other lists; `!` stands before what of these is left out."""

    name: str
    words: list = field(default_factory=list)  # strings and CaseLists, in order
    most: int = 0  # a sample of so many, unless 0

    def all_words(self):
        for word in self.words:
            if isinstance(word, CaseList):
                yield from word.all_words()
            else:
                yield word


def read_words(arguments):
    """The list that the arguments make: files of lists, and words of a list themselves."""
    whole = CaseList("the arguments")
    for argument in map(str, arguments):
        path = Path(argument)
        if path.is_file():
            whole.words.append(_read(path, ()))
        elif "*" in argument or argument.lstrip("!").startswith("dEQP-"):
            whole.words.append(argument)
        else:
            raise CaseListError(f"{argument} is no file, and no pattern of cases either")
    if not any(not word.startswith("!") for word in whole.all_words()):
        raise CaseListError(f"{' '.join(map(str, arguments))} names no case: add a name or a pattern")
    return whole


def _read(path, outer, most=0):
    """`@FILE` includes a list that lies beside this one, `@FILE N` a sample of N of its cases."""
    if path in outer:
        raise CaseListError(f"{path} includes itself")
    listed = CaseList(path.name, most=most)
    try:
        lines = path.read_text().splitlines()
    except (OSError, ValueError) as error:
        raise CaseListError(f"{path} is no list of cases: {error}") from None
    for number, line in enumerate(lines, 1):
        word = line.split("#")[0].strip()
        include = _INCLUDE.fullmatch(word)
        if include:
            inner = path.parent / include[1]
            if not inner.is_file():
                raise CaseListError(f"{path}:{number}: there is no list {inner}")
            listed.words.append(_read(inner, (*outer, path), int(include[2] or 0)))
        elif _CASE.fullmatch(word):
            listed.words.append(word)
        elif word:
            raise CaseListError(f"{path}:{number}: expected a name, a pattern or @FILE: {word}")
    return listed


def expand(listed, deqp, seed=1):
    """Names of the cases, once each and in order, and the names of included lists of which this
    deqp-vk has no case. A list's `!` holds for the list and what it includes, and not beyond. Names
    stay as they are: that deqp-vk does not know one is a result, too."""
    absent = []
    names = _expand(listed, deqp, seed, absent)
    if not names:
        raise CaseListError(f"deqp-vk knows no case of {' '.join(listed.all_words())[:200]}")
    return names, absent


def _expand(listed, deqp, seed, absent):
    words = [word for word in listed.words if isinstance(word, str)]
    patterns = [word for word in words if "*" in word and not word.startswith("!")]
    left_out = pattern_of_any(word[1:].strip() for word in words if word.startswith("!"))
    names = [word for word in words if "*" not in word and not word.startswith("!")]
    if patterns:
        names += _export(patterns, deqp)
    for inner in listed.words:
        if isinstance(inner, CaseList):
            found = _expand(inner, deqp, seed, absent)
            if not found:
                absent.append(inner.name)
            names += found
    names = [name for name in dict.fromkeys(names) if not left_out.fullmatch(name)]
    return sample(names, listed.most, seed) if listed.most else names


def sample(names, count, seed):
    """`count` of the names, in their order: the same ones for the same seed."""
    if count >= len(names):
        return names
    chosen = random.Random(seed).sample(range(len(names)), count)
    return [names[index] for index in sorted(chosen)]


def group_of(name):
    """The group that a case is counted in: up to four words of its name, and not the last one."""
    words = name.split(".")
    return ".".join(words[: min(4, max(1, len(words) - 1))])


def _export(patterns, deqp):
    with tempfile.TemporaryDirectory(prefix="cts-runs.") as folder:
        command = deqp.command(
            "--deqp-runmode=txt-caselist",
            f"--deqp-caselist-export-file={folder}/${{packageName}}.txt",
            f"--deqp-case={','.join(patterns)}",
            f"--deqp-log-filename={folder}/log.qpa",
        )
        try:
            subprocess.run(
                command, cwd=deqp.program.parent, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=_EXPORT_SECONDS
            )
        except subprocess.TimeoutExpired:
            raise CaseListError(
                f"deqp-vk does not name its cases within {_EXPORT_SECONDS} s; is it one?"
            ) from None
        # Each package of tests has a file, in the order in which they were written.
        files = sorted(Path(folder).glob("*.txt"), key=lambda path: path.stat().st_mtime_ns)
        lines = [line for path in files for line in path.read_text().splitlines()]
    return [line[len("TEST: ") :] for line in lines if line.startswith("TEST: ")]
