# SPDX-License-Identifier: Apache-2.0

"""Parts of a run for several machines: each case is in exactly one of them."""

import hashlib
import heapq
import os
import re

_CI = ("CI_NODE_INDEX", "CI_NODE_TOTAL")  # as GitLab sets them with `parallel:`


def parse(text):
    """`I/N`, from 1, or `ci` for what GitLab's variables say: (I, N). None for None."""
    if text is None:
        return None
    if text == "ci":
        text = "/".join(os.environ.get(name, "") for name in _CI)
        if text == "/":
            raise ValueError(f"--shard ci: {' and '.join(_CI)} are not set; give --shard I/N")
    words = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if not words or not 1 <= int(words[1]) <= int(words[2]):
        raise ValueError(f"--shard {text}: expected I/N with I from 1 to N, as 2/4")
    return int(words[1]), int(words[2])


def divide(names, count, times):
    """`count` parts of about the same time, each in the order of `names`: the longest case first,
    each to the part that has the least so far."""
    loads = [(0.0, index) for index in range(count)]
    part_of = {}
    for name in sorted(names, key=lambda name: (-times.of(name), name)):
        load, index = heapq.heappop(loads)
        part_of[name] = index
        heapq.heappush(loads, (load + times.of(name), index))
    parts = [[] for _ in range(count)]
    for name in names:
        parts[part_of[name]].append(name)
    return parts


def digest(names):
    """Tells lists of cases from each other."""
    return hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()[:16]
