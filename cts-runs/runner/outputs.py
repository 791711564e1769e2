# SPDX-License-Identifier: Apache-2.0

"""Where the results of a run go: the options that say it, and the files."""

import contextlib
import tempfile
from pathlib import Path

from runner import deqp_runner, html_page, junit, record, times
from runner.compare import Difference


def add_options(parser):
    group = parser.add_argument_group("results")
    group.add_argument("--json", type=Path, metavar="FILE", help="every case's result")
    group.add_argument("--record", type=Path, metavar="FILE", help="totals, reasons and failures")
    group.add_argument("--junit", type=Path, metavar="FILE", help="JUnit XML, as CI systems show it")
    group.add_argument("--html", type=Path, metavar="FILE", help="a page for people")
    group.add_argument("--against", type=Path, metavar="FILE",
                       help="an earlier --json or --record: what changed is on the page")
    group.add_argument("--deqp-runner-results", type=Path, metavar="FOLDER",
                       help="results.csv and failures.csv as deqp-runner writes them")
    group.add_argument("--write-times", type=Path, metavar="FILE",
                       help="seconds per case of each group, for --times; adds to what it has")
    return group


class Outputs:
    """Checks before a run that all of them can be written, and writes them behind it."""

    def __init__(self, arguments):
        self._arguments = arguments
        self._against = record.read(arguments.against) if arguments.against else None
        for path in (arguments.json, arguments.record, arguments.junit, arguments.html,
                     arguments.write_times):
            if path:
                check_writable(path)
        if arguments.deqp_runner_results:
            check_folder(arguments.deqp_runner_results)

    def write(self, run, results):
        arguments = self._arguments
        summary = {**run, **results.record()}
        if arguments.json:
            record.write(arguments.json, {**summary, "cases": results.every_case()})
        if arguments.record:
            record.write(arguments.record, summary)
        if arguments.junit:
            junit.write(arguments.junit, run, results)
        if arguments.html:
            whole = {**summary, "cases": results.every_case()}
            against = Difference(self._against, whole) if self._against else None
            arguments.html.write_text(html_page.of_run(run, results, against), encoding="utf-8")
        if arguments.deqp_runner_results:
            deqp_runner.write_results(arguments.deqp_runner_results, results.cases.values())
        if arguments.write_times:
            known = times.known_groups(arguments.write_times)
            record.write(arguments.write_times, times.table(results.cases.values(), known))


def check_writable(path):
    """Refuses where no file can be written; leaves what is there."""
    check_folder(path.parent)
    existed = path.exists()
    with _refusing(path):
        open(path, "ab").close()
        if not existed:
            path.unlink()


def check_folder(path):
    with _refusing(path):
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass


@contextlib.contextmanager
def _refusing(path):
    try:
        yield
    except OSError as error:
        raise record.RecordError(
            f"{path} cannot be written: {error.strerror}; let results go elsewhere"
        ) from None
