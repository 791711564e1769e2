# SPDX-License-Identifier: Apache-2.0

"""The options of cts-runs/run, checked as far as they can be by themselves."""

import argparse
import os
from pathlib import Path

from runner import deqp_runner, outputs, shards

WAIVERS = Path(__file__).resolve().parents[1] / "waivers.txt"
TIMES = Path(__file__).resolve().parents[1] / "times.json"


def parse(description):
    parser = argparse.ArgumentParser(
        prog="cts-runs/run",
        description=description,
        epilog="Exit status: 0 nothing unexpected, 1 failures or unexpected passes, 2 wrong usage.",
    )
    parser.add_argument("cases", nargs="+", metavar="LIST|PATTERN",
                        help="files of names and patterns, or such themselves; !PATTERN leaves out")
    parser.add_argument("--deqp", type=Path, required=True, help="the deqp-vk to run")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--batch", type=int, default=400, help="most cases for one process")
    parser.add_argument("--isolate", action="store_true", help="a process for each case")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each case")
    parser.add_argument("--sample", type=int, metavar="N", help="only N of the cases")
    parser.add_argument("--seed", type=int, default=1, help="which ones, here and in lists")
    parser.add_argument("--shard", metavar="I/N|ci",
                        help="only part I of N; ci: as CI_NODE_INDEX and CI_NODE_TOTAL say")
    parser.add_argument("--times", type=Path, default=TIMES, metavar="FILE",
                        help="an earlier --json or --write-times, for shards and estimates")
    parser.add_argument("--resume", action="store_true",
                        help="go on where a run with the same --json was killed")
    parser.add_argument("--case-limit", type=float, default=120, metavar="SECONDS",
                        help="a case that takes longer hangs")
    parser.add_argument("--batch-limit", type=float, default=1800, metavar="SECONDS",
                        help="a process that takes longer is replaced")
    parser.add_argument("--engine", choices=("own", deqp_runner.PROGRAM), default="own",
                        help="what runs deqp-vk's processes")
    parser.add_argument("--list", action="store_true", help="print the names of the cases and stop")
    parser.add_argument("--argument", action="append", default=[], metavar="OPTION",
                        help="one more argument for deqp-vk, as --argument=--deqp-vk-device-id=2")
    expected = parser.add_argument_group("what is expected")
    expected.add_argument("--waivers", type=Path, default=WAIVERS, metavar="FILE")
    expected.add_argument("--baseline", type=Path, metavar="FILE",
                          help="deqp-runner's name,Status of cases that are expected to fail")
    expected.add_argument("--flakes", type=Path, metavar="FILE",
                          help="regular expressions of cases that may fail")
    expected.add_argument("--skips", type=Path, metavar="FILE",
                          help="regular expressions of cases that are left out")
    outputs.add_options(parser).add_argument(
        "--logs", type=Path, metavar="FOLDER", help="the logs of cases that fail")
    arguments = parser.parse_args()
    _check(parser, arguments)
    return arguments


def _check(parser, arguments):
    if min(arguments.jobs, arguments.batch, arguments.repeat) < 1:
        parser.error("--jobs, --batch and --repeat are 1 or more")
    if arguments.sample is not None and arguments.sample < 1:
        parser.error("--sample is 1 or more")
    if min(arguments.case_limit, arguments.batch_limit) <= 0:
        parser.error("--case-limit and --batch-limit are more than 0 seconds")
    if not os.access(arguments.deqp, os.X_OK) or arguments.deqp.is_dir():
        parser.error(f"{arguments.deqp} is no program: give the deqp-vk that the CTS's build made")
    if arguments.resume and not arguments.json:
        parser.error("--resume needs the --json of the run that was killed: its journal lies beside it")
    if arguments.engine == deqp_runner.PROGRAM:
        if not deqp_runner.installed():
            parser.error(f"there is no {deqp_runner.PROGRAM} in PATH: install it, or leave out --engine")
        if arguments.resume or arguments.repeat > 1:
            parser.error(f"--resume and --repeat need our own engine, not {deqp_runner.PROGRAM}")
    try:
        arguments.shard = shards.parse(arguments.shard)
    except ValueError as error:
        parser.error(str(error))
    arguments.deqp = arguments.deqp.resolve()
    if arguments.isolate:
        arguments.batch = 1
