# SPDX-License-Identifier: Apache-2.0

"""deqp-runner, Mesa's tool, as the engine of a run, and results written in its way."""

import shutil
import subprocess
from pathlib import Path

from runner import deqp_files, verdicts
from runner.case_log import CaseLog, CaseResult

PROGRAM = "deqp-runner"


class EngineError(Exception):
    pass


class DeqpRunner:
    """Runs all cases in one call of deqp-runner. `add(result)` is called for each at the end."""

    def __init__(self, deqp, arguments, folder):
        self._deqp = deqp
        self._jobs = arguments.jobs
        self._batch = arguments.batch
        self._case_seconds = arguments.case_limit
        self._folder = folder
        self._process = None

    def run(self, names, add):
        """Returns false if the user stopped it."""
        case_list = self._folder / "cases.txt"
        case_list.write_text("\n".join(names) + "\n")
        output = self._folder / "output"
        command = [PROGRAM, "run", "--deqp", str(self._deqp.program), "--caselist", str(case_list)]
        command += ["--output", str(output), "--jobs", str(self._jobs)]
        command += ["--timeout", str(self._case_seconds), "--tests-per-group", str(self._batch)]
        # Its own progress is ours: our output is what the run found.
        self._process = subprocess.Popen(
            [*command, "--", *self._deqp.arguments], cwd=self._deqp.program.parent, stdout=2
        )
        try:
            status = self._process.wait()
        except KeyboardInterrupt:
            self._process.kill()
            self._process.wait()
            return False
        results = output / "results.csv"
        if not results.is_file():
            raise EngineError(f"{PROGRAM} ended with status {status} and left no results.csv")
        statuses = deqp_files.read_results(results)
        logged = _logged(output)
        for name in names:
            add(_result(name, statuses.get(name), logged.get(name)))
        return True


def installed():
    return shutil.which(PROGRAM) is not None


def write_results(folder, cases):
    """Writes results.csv and failures.csv of the results."""
    folder.mkdir(parents=True, exist_ok=True)
    lines, failures = [], []
    for result in sorted(cases, key=lambda result: result.name):
        status = _written_status(result)
        lines.append(f"{result.name},{status},{result.seconds:.3f}\n")
        if result.verdict in verdicts.UNEXPECTED:
            failures.append(f"{result.name},{status}\n")
    (folder / "results.csv").write_text("".join(lines))
    (folder / "failures.csv").write_text("".join(failures))


def _written_status(result):
    status = deqp_files.status_of(result)
    if result.verdict == verdicts.WAIVED:
        return "ExpectedFail"
    if result.verdict == verdicts.IMPROVED:
        return f"UnexpectedImprovement({status})"
    return "Flake" if result.verdict == verdicts.FLAKE else status


def _result(name, told, logged):
    """One result from deqp-runner's status, with the message from the log that it kept."""
    if told is None:
        return CaseResult(name, "Missing", f"{PROGRAM} has no result of it")
    status = deqp_files.status_from(told[0])
    if logged and deqp_files.status_of(logged) == deqp_files.status_of(CaseResult(name, status)):
        return CaseResult(name, logged.status, logged.message, told[1], logged.log)
    message = "" if status == "Pass" else f"{told[0]}, by {PROGRAM}, which kept no log of it"
    return CaseResult(name, status, message, told[1])


def _logged(output):
    """What the logs say that deqp-runner keeps, which are those with failures in them."""
    logged = {}
    for path in sorted(Path(output).rglob("*.qpa")):
        for result in CaseLog().feed(path.read_text(errors="replace")):
            logged[result.name] = result
    return logged
