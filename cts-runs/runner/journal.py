# SPDX-License-Identifier: Apache-2.0

"""The results of a run as they come, a line each, from which a run that was killed goes on."""

import json
import time

from runner.case_log import CaseResult

_KEPT = ("name", "status", "message", "seconds", "alone", "after")


class JournalError(Exception):
    pass


class Journal:
    """`identity` tells what the run is of. The first line has it, each other one a result or an
    incident, and the seconds that the run had taken by then."""

    def __init__(self, path, identity, resume):
        self._path = path
        self.results = []
        self.incidents = []  # pairs of text and case
        self.date = time.strftime("%Y-%m-%d", time.gmtime())
        self._seconds_before = 0.0
        self._started = time.monotonic()
        kept = self._read(identity) if resume and path.is_file() else 0
        self._file = open(path, "r+b" if kept else "wb")
        self._file.truncate(kept)
        self._file.seek(kept)
        if not kept:
            self._write({"identity": identity, "date": self.date})

    def seconds(self):
        return self._seconds_before + time.monotonic() - self._started

    def add(self, result):
        self._write({key: getattr(result, key) for key in _KEPT} | {"at": round(self.seconds(), 3)})

    def add_incident(self, text, case):
        self._write({"incident": text, "case": case, "at": round(self.seconds(), 3)})

    def finish(self):
        """The run is over and its results are written elsewhere."""
        self._file.close()
        self._path.unlink()

    def _write(self, content):
        # At once in the system's hands: what happens to this process cannot undo it.
        self._file.write(json.dumps(content).encode() + b"\n")
        self._file.flush()

    def _read(self, identity):
        """Returns how much of the file is whole: a kill may leave half a line at its end."""
        content = self._path.read_bytes()
        kept = content.rfind(b"\n") + 1
        lines = content[:kept].splitlines()
        for number, line in enumerate(lines, 1):
            try:
                entry = json.loads(line)
                if number == 1:
                    self._check(entry["identity"], identity)
                    self.date = entry["date"]
                    continue
                self._seconds_before = entry["at"]
                if "incident" in entry:
                    self.incidents.append((entry["incident"], entry["case"]))
                else:
                    self.results.append(CaseResult(**{key: entry[key] for key in _KEPT}))
            except (ValueError, KeyError, TypeError):
                raise JournalError(
                    f"{self._path}:{number} is no line of a run's journal; remove the file to begin anew"
                ) from None
        return kept

    def _check(self, was, now):
        for key in sorted(set(was) | set(now)):
            if was.get(key) != now.get(key):
                raise JournalError(
                    f"{self._path} is of a run with {key} {was.get(key)}, and now it is"
                    f" {now.get(key)}; leave out --resume to begin anew"
                )


class NoJournal:
    """For a run of which no file with every result is asked for."""

    def __init__(self):
        self.results = []
        self.incidents = []
        self.date = time.strftime("%Y-%m-%d", time.gmtime())
        self._started = time.monotonic()

    def seconds(self):
        return time.monotonic() - self._started

    def add(self, result):
        pass

    def add_incident(self, text, case):
        pass

    def finish(self):
        pass
