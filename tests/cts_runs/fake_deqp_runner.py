#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for deqp-runner: the same options, the same files; statuses follow from the names."""

import json
import os
import sys
from pathlib import Path

STATUSES = {"fail": "Fail", "crash": "Crash", "hang": "Timeout", "flaky": "Flake", "warn": "Warn",
            "unsupported.images": "Skip", "quit": "ExpectedFail", "abort": "KnownFlake",
            "victim": "UnexpectedImprovement(Pass)"}
LOG = """#beginTestCaseResult dEQP-VK.fake.fail
<Result StatusCode="InternalError">wrong</Result>
#endTestCaseResult
"""


def main():
    arguments = sys.argv[1:]
    ours = arguments[: arguments.index("--")]
    options = dict(zip(ours[1::2], ours[2::2]))
    Path(os.environ["FAKE_DEQP_STATE"]).write_text(json.dumps(arguments))
    if os.environ.get("FAKE_DEQP_RUNNER") == "fail":
        return 3
    output = Path(options["--output"])
    output.mkdir(parents=True)
    lines = []
    for name in Path(options["--caselist"]).read_text().split():
        what = name.removeprefix("dEQP-VK.fake.")
        if what != "poison":
            lines.append(f"{name},{STATUSES.get(what, 'Pass')},0.25\n")
    (output / "results.csv").write_text("".join(lines))
    (output / "c1.r1.qpa").write_text(LOG)
    return 1


if __name__ == "__main__":
    sys.exit(main())
