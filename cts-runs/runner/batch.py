# SPDX-License-Identifier: Apache-2.0

"""Runs a list of cases, in as many processes as crashes and hangs make necessary."""

import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from runner.case_log import CaseLog, CaseResult

_POLL_SECONDS = 0.02
_LEAST_CASES = 20  # below them a process takes longer to start than to run


@dataclass
class Limits:
    case_seconds: float = 120.0  # longest time for one case
    batch_seconds: float = 1800.0  # for one process; then the rest goes on in another


@dataclass
class Deqp:
    """How deqp-vk is called: the program and arguments that every call gets."""

    program: Path
    arguments: list = field(default_factory=list)

    def command(self, *arguments):
        return [str(self.program), *self.arguments, *arguments]


def batches(names, most, jobs):
    """Parts of `names` for `jobs` processes side by side: `most` names each, and fewer towards the
    end, so that none works long after the others."""
    parts = []
    first = 0
    while first < len(names):
        share = (len(names) - first) // (4 * jobs) if jobs > 1 else most
        size = min(max(share, _LEAST_CASES), most)
        parts.append(names[first : first + size])
        first += size
    return parts


@dataclass
class _Ending:
    """How a process ended: `reason` is "" if by itself and in good order."""

    reason: str  # "", "Crash", "Hang", or "Batch" when its time as a whole was over
    message: str
    running: str  # case that was running, or None
    seconds: float  # for which it had been
    log: str
    done: list  # names of the cases that ended before, in order


class BatchRunner:
    """Runs batches one at a time; several of them may work side by side. `folder` is its own,
    `report(result)` is called for each case, `incident(text, case)` when a process crashed or hung
    between two cases, after `case`. `stop()` may be called from another thread."""

    def __init__(self, deqp, limits, folder, report, incident):
        self._deqp = deqp
        self._limits = limits
        self._folder = folder
        self._report = report
        self._incident = incident
        self._process = None
        self._stopped = False
        self.session = {}

    def run(self, cases):
        """Runs every case once, and one that is blamed for a crash or a hang once more by itself."""
        waiting = list(cases)
        while waiting and not self._stopped:
            ending = self._process_cases(waiting, self._report)
            if self._stopped:
                return
            blamed = self._blame(ending, waiting)
            finished = set(ending.done)
            if blamed:
                finished.add(blamed.name)
                if ending.done:
                    # Was it this case, or one of those before it in the same process?
                    blamed.alone = self._alone(blamed.name)
                    if self._stopped:
                        return
                self._report(blamed)
            elif not ending.done:
                # In good order, and none of them was run.
                for name in waiting:
                    self._report(CaseResult(name, "Missing", "deqp-vk does not know this case"))
                return
            waiting = [name for name in waiting if name not in finished]

    def stop(self):
        self._stopped = True
        self._kill()

    def _blame(self, ending, waiting):
        reason = ending.reason
        if reason == "Batch":
            # The running case has another chance unless it had the process to itself.
            if ending.done:
                return None
            reason = "Hang"
        name = ending.running
        if name is None:
            if not reason:
                return None
            if ending.done:
                last = ending.done[-1]
                self._incident(f"{ending.message}, between cases, after {last}", last)
                return None
            name = waiting[0]
        return CaseResult(
            name, reason or "Crash", ending.message, ending.seconds, ending.log, after=ending.done[-5:]
        )

    def _alone(self, name):
        results = []
        ending = self._process_cases([name], results.append)
        return results[0].status if results else ending.reason or "Crash"

    def _process_cases(self, cases, report):
        case_list = self._folder / "cases.txt"
        log_path = self._folder / "log.qpa"
        output_path = self._folder / "output.txt"
        case_list.write_text("\n".join(cases) + "\n")
        log_path.write_text("")
        log = CaseLog()
        done = []
        wanted = set(cases)
        with open(output_path, "wb") as output, open(
            log_path, encoding="utf-8", errors="replace"
        ) as log_file:
            started = time.monotonic()
            self._process = subprocess.Popen(
                self._deqp.command(
                    f"--deqp-caselist-file={case_list}", f"--deqp-log-filename={log_path}"
                ),
                cwd=self._deqp.program.parent,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            # The limit of a case also holds for what is before the first and behind the last one.
            quiet_since = started
            killed = ""
            while True:
                over = self._process.poll() is not None
                for result in log.feed(log_file.read()):
                    quiet_since = time.monotonic()
                    if result.name in wanted:  # and not one that nobody asked for, or a second time
                        wanted.remove(result.name)
                        done.append(result.name)
                        report(result)
                if over or killed:
                    break
                now = time.monotonic()
                if self._stopped:
                    killed = "Stop"
                elif now - (log.begun_at if log.running else quiet_since) > self._limits.case_seconds:
                    killed = "Hang"
                elif now - started > self._limits.batch_seconds:
                    killed = "Batch"
                if killed:
                    self._kill()
                    self._process.wait()
                else:
                    time.sleep(_POLL_SECONDS)
        self.session.update(log.session)
        status = self._process.returncode
        # deqp-vk's status is 1 when cases failed, so only a signal or an open case tells of a crash.
        reason = killed or ("Crash" if status < 0 or log.running or (status and not done) else "")
        seconds = time.monotonic() - (log.begun_at if log.running else quiet_since)
        return _Ending(
            reason,
            _describe(reason, status, seconds, output_path),
            log.running,
            seconds,
            log.text() if log.running else "",
            done,
        )

    def _kill(self):
        process = self._process
        if process and process.poll() is None:
            process.kill()


def _describe(reason, status, seconds, output_path):
    if not reason:
        return ""
    if reason != "Crash":
        how = f"killed after {seconds:.0f} s"
    elif status < 0:
        how = f"ended by {signal.Signals(-status).name}"
    else:
        how = f"ended with status {status}"
    return how + _last_words(output_path)


def _last_words(output_path):
    """What the process said last, in its last case, that is not deqp-vk's own progress."""
    with open(output_path, "rb") as output:
        output.seek(0, 2)
        output.seek(max(0, output.tell() - 4096))
        lines = output.read().decode(errors="replace").splitlines()
    begun = [index for index, line in enumerate(lines) if line.startswith("Test case ")]
    lines = lines[begun[-1] + 1 :] if begun else lines
    words = [line for line in lines if line.strip() and not line.startswith("  ")]
    return ": " + words[-1].strip() if words else ""
