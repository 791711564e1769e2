# SPDX-License-Identifier: Apache-2.0

"""Results as JUnit XML, which GitLab, GitHub and others show."""

import re
import xml.etree.ElementTree as xml
from collections import defaultdict

from runner import verdicts
from runner.case_lists import group_of
from runner.results import first_line

# What XML cannot hold, however it is written.
_NO_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ERRORS = ("Crash", "Hang", "Missing")  # the case did not come to a result of its own
_MOST_TEXT = 10000  # of one message


def write(path, run, results):
    """A testsuite for each group, and one for what happened between cases."""
    suites = xml.Element("testsuites", name="Vulkan CTS")
    groups = defaultdict(list)
    for result in results.cases.values():
        groups[group_of(result.name)].append(result)
    for group in sorted(groups):
        of_group = sorted(groups[group], key=lambda result: result.name)
        _add_suite(suites, group, run, [_case(group, result) for result in of_group])
    incidents = [_incident(text, "error") for text in results.incidents]
    incidents += [_incident(text, "skipped") for text in results.waived_incidents]
    if not run["finished"]:
        incidents.append(_incident("the run was stopped before its end", "error"))
    if incidents:
        _add_suite(suites, "between cases", run, incidents)
    xml.ElementTree(suites).write(path, encoding="utf-8", xml_declaration=True)


def _add_suite(suites, name, run, cases):
    suite = xml.SubElement(suites, "testsuite", name=_text(name), tests=str(len(cases)))
    for kind, title in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(title, str(sum(case.find(kind) is not None for case in cases)))
    suite.set("time", f"{sum(float(case.get('time')) for case in cases):.3f}")
    suite.set("timestamp", f"{run['date']}T00:00:00")
    suite.extend(cases)


def _case(group, result):
    case = xml.Element(
        "testcase", classname=group, name=_text(result.name), time=f"{result.seconds:.3f}"
    )
    told = f"{result.status}: {first_line(result.message)}"
    if result.verdict == verdicts.FAIL:
        text = result.message
        if result.alone:
            text += f"\nby itself: {result.alone}; it ran after\n" + "\n".join(result.after)
        _tell(case, "error" if result.status in _ERRORS else "failure", told, text)
    elif result.verdict == verdicts.IMPROVED:
        _tell(case, "failure", f"unexpected {result.status}: {result.waiver.reason}")
    elif result.verdict == verdicts.WAIVED:
        _tell(case, "skipped", f"waived ({result.waiver.kind}): {result.waiver.reason}; {told}")
    elif result.verdict == verdicts.FLAKE:
        _tell(case, "skipped", f"flake: {told}")
    elif result.verdict == verdicts.SKIP:
        _tell(case, "skipped", told)
    return case


def _incident(text, kind):
    case = xml.Element("testcase", classname="between cases", name=_text(text), time="0")
    _tell(case, kind, text)
    return case


def _tell(case, kind, message, text=""):
    element = xml.SubElement(case, kind, message=_text(message))
    if text:
        element.text = _text(text)


def _text(text):
    return _NO_TEXT.sub("\ufffd", text[:_MOST_TEXT])
