# SPDX-License-Identifier: Apache-2.0

"""Runs batches of cases in several deqp-vk processes side by side."""

import queue
import tempfile
import threading
from pathlib import Path

from runner.batch import BatchRunner, Limits, batches


class Engine:
    """Hands batches to as many threads as processes may run at a time. `add(result)` and
    `add_incident(text, case)` are called by one thread at a time, as results come."""

    def __init__(self, deqp, arguments, may_end_process):
        self._deqp = deqp
        self._limits = Limits(arguments.case_limit, arguments.batch_limit)
        self._jobs = arguments.jobs
        self._batch = arguments.batch
        self._may_end_process = may_end_process
        self._lock = threading.Lock()
        self._runners = []
        self._error = None

    def run(self, rounds, add, add_incident):
        """`rounds` are lists of names, each of which runs. Returns false if the user stopped it."""
        waiting = queue.SimpleQueue()
        parts = [part for names in rounds for part in self._parts(names)]
        for part in parts:
            waiting.put(part)
        work = self._worker(waiting, self._locked(add), self._locked(add_incident))
        threads = [
            threading.Thread(target=work, daemon=True) for _ in range(min(self._jobs, len(parts)))
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:
            for runner in self._runners:
                runner.stop()
            for thread in threads:
                thread.join()
            return False
        if self._error:
            raise self._error
        return True

    def _parts(self, names):
        """Cases that may take their process with them have one each, so as to harm no others."""
        apart = [name for name in names if self._may_end_process(name)]
        together = [name for name in names if not self._may_end_process(name)]
        return batches(together, self._batch, self._jobs) + [[name] for name in apart]

    def _locked(self, function):
        def call(*arguments):
            with self._lock:
                function(*arguments)

        return call

    def _worker(self, waiting, add, add_incident):
        def work():
            with tempfile.TemporaryDirectory(prefix="cts-runs.") as folder:
                runner = BatchRunner(self._deqp, self._limits, Path(folder), add, add_incident)
                self._runners.append(runner)
                try:
                    while not self._error:
                        runner.run(waiting.get_nowait())
                except queue.Empty:
                    pass
                except Exception as error:  # a full disk, or deqp-vk is no longer there
                    self._error = error

        return work
