# SPDX-License-Identifier: Apache-2.0

"""What a run writes about itself, and reading it back."""

import json
import os
import re
import shlex

OUTPUTS = ("--json", "--record", "--junit", "--html", "--deqp-runner-results", "--write-times",
           "--logs")  # where results go says nothing of the run
_OUTSIDE = (*OUTPUTS, "--against")
_FLAGS = ("--resume",)


class RecordError(Exception):
    pass


def command_line(program, words):
    """As it was given, without this machine's folders and without where its results went."""
    kept = []
    words = iter(words)
    for word in words:
        if word in _OUTSIDE:
            next(words, None)
        elif word not in _FLAGS and word.partition("=")[0] not in _OUTSIDE:
            kept.append(re.sub(r"(?<![\w*])(/[\w.+-]+)+/", "", word))
    return " ".join([*settings(), program, *map(shlex.quote, kept)])


def settings():
    return [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("TESSERA_")]


def read(path, every_case=False):
    """A run that --json or --record wrote; `every_case` wants the former."""
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no JSON"
        raise RecordError(f"{path} cannot be read: {reason}") from None
    if not isinstance(content, dict) or not {"totals", "failures", "cts"} <= content.keys():
        raise RecordError(f"{path} is no record of a run: give what --json or --record wrote")
    if every_case and "cases" not in content:
        raise RecordError(f"{path} does not have every case: give what --json wrote, not --record")
    return content


def write(path, content):
    path.write_text(json.dumps(content, indent=1) + "\n")
