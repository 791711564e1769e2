#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what is made of results: JUnit, the page, comparisons."""

import json
import unittest
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

from harness import CASE, ProgramTest

OPEN = ("meta", "link", "img", "br")  # elements that have no end


class Page(HTMLParser):
    """Checks that elements are closed in order, and gathers what a page is made of."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], set(), set(), ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attributes)
        if tag not in OPEN:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise ValueError(f"{tag} is closed where it is not open")

    def handle_data(self, data):
        self.text += data


class ReportTest(ProgramTest):
    def check_page(self, name):
        text = (self.folder / name).read_text(encoding="utf-8")
        page = Page(text)
        self.assertEqual(page.open, [])
        self.assertLessEqual(page.tags & {"script", "link", "img", "iframe", "object"}, set())
        self.assertFalse(page.attributes & {"src", "href"})
        self.assertFalse([name for name in page.attributes if name.startswith("on")])
        self.assertNotIn("url(", text)
        self.assertNotRegex(text, r"https?://")
        return page.text


class JunitTest(ReportTest):
    WAIVERS = f"{CASE}fail cts-defect it is wrong\n{CASE}pass.one memory all of it\n"

    def test_each_outcome(self):
        self.write("flakes.txt", "quit")
        options = ["--junit", self.folder / "a.xml", "--flakes", self.folder / "flakes.txt"]
        self.run_cases("pass.one", "pass.two", "fail", "crash", "quit", "unsupported.images", "hostile",
                       "unknown", "crash_after", options=options, waivers=self.WAIVERS, status=1)
        root = xml.parse(self.folder / "a.xml").getroot()
        found = {}
        for case in root.iter("testcase"):
            outcome = [(child.tag, child.get("message").split(":")[0]) for child in case]
            found[case.get("name").removeprefix(CASE)] = outcome[0] if outcome else None
        between = next(name for name in found if "between cases" in name)
        self.assertEqual(found.pop(between)[0], "error")
        self.assertEqual(found, {
            "pass.one": ("failure", "unexpected Pass"), "pass.two": None,
            "fail": ("skipped", "waived (cts-defect)"), "crash": ("error", "Crash"),
            "quit": ("skipped", "flake"), "unsupported.images": ("skipped", "NotSupported"),
            "hostile": ("failure", "Fail"), "unknown": ("error", "Missing"), "crash_after": None,
        })
        suites = {suite.get("name"): suite for suite in root.iter("testsuite")}
        group = suites["dEQP-VK.fake"]
        counts = [group.get(key) for key in ("tests", "failures", "errors", "skipped")]
        self.assertEqual(counts, ["6", "1", "2", "2"])
        self.assertEqual(suites["dEQP-VK.fake.pass"].get("time"), "0.024")
        failure = next(c for c in root.iter("testcase") if c.get("name") == CASE + "hostile")
        self.assertIn("<script>", failure.find("failure").text)

    def test_a_run_that_was_stopped_says_so(self):
        self.run_cases("pass.one")
        content = {**self.read("all.json"), "finished": False}
        path = self.write("all.json", json.dumps(content))
        self.call("merge", path, "--junit", self.folder / "a.xml", status=1)
        text = (self.folder / "a.xml").read_text()
        self.assertIn("stopped before its end", text)


class HtmlTest(ReportTest):
    def test_a_run(self):
        self.run_cases("pass.*", "warn", json="old.json")
        self.write("flakes.txt", "quit")
        options = ["--html", self.folder / "a.html", "--against", self.folder / "old.json",
                   "--flakes", self.folder / "flakes.txt", "--repeat", "2"]
        waivers = f"{CASE}fail cts-defect <b>wrong</b>\n{CASE}pass.one memory all of it\n"
        self.run_cases("pass.*", "fail", "crash", "quit", "unsupported.*", "hostile", "flaky",
                       "crash_after", options=options, waivers=waivers, status=1)
        text = self.check_page("a.html")
        for words in (
            "3 failures; 1 unexpected pass; 2 processes died between cases", "fake-1.0", "version 0x1",
            "</pre><script>alert(1)</script>", "<b>wrong</b>", "ended by SIGSEGV: something bad",
            "No \"quad\" <subgroups>", "Changed since", "No longer run: 1 cases", "Pass, Fail",
        ):
            self.assertIn(words, text)
        self.assertNotIn("\x1b", text + self.process.stdout)

    def test_a_good_run_against_a_record(self):
        self.run_cases("pass.*", "fail", options=["--record", self.folder / "old.json"])
        options = ["--html", self.folder / "a.html", "--against", self.folder / "old.json"]
        self.run_cases("pass.*", options=options, status=0)
        text = self.check_page("a.html")
        self.assertIn("Nothing unexpected.", text)
        self.assertIn("By totals alone", text)

    def test_text_is_escaped_everywhere(self):
        evil = "<script>alert(1)</script>\"'"
        self.run_cases("hostile", "unsupported.images", "warn")
        content = self.read("all.json")
        for case in content["cases"].values():
            case["message"] = evil
        content["cases"] = {name + evil: case for name, case in content["cases"].items()}
        content["cases"]["dEQP-VK.x"] = {
            "status": "Pass", "message": "", "seconds": 1, "verdict": "unexpected pass", "kind": evil,
            "reason": evil,
        }
        content.update(command=evil, date=evil, incidents=[evil], waived_incidents=[evil],
                       not_always_the_same={evil: [evil, evil]}, absent_lists=[evil],
                       drivers=[{"library": evil, "build_id": evil}],
                       cts={"releaseName": evil, "releaseId": evil}, totals={evil: 1, "Pass": 2})
        content["device"] = dict.fromkeys(("deviceName", "driverVersion", "apiVersion"), evil)
        path = self.write("evil.json", json.dumps(content))
        self.run_cases("warn", json="old.json")
        old = self.write("old.json", json.dumps({**content, "cases": self.read("old.json")["cases"]}))
        self.call("merge", path, "--html", self.folder / "a.html", "--against", old,
                  "--junit", self.folder / "a.xml", status=1)
        self.check_page("a.html")
        xml.parse(self.folder / "a.xml")
        self.call("compare", old, path, "--html", self.folder / "b.html")
        self.check_page("b.html")


class CompareTest(ReportTest):
    def runs(self, old, new, **settings):
        self.run_cases(*old, json="old.json")
        self.run_cases(*new, json="new.json", **settings)
        return self.folder / "old.json", self.folder / "new.json"

    def change(self, path, name, **values):
        content = json.loads(path.read_text())
        content["cases"][CASE + name].update(values)
        content["totals"] = {}
        path.write_text(json.dumps(content))

    def test_the_same(self):
        old, new = self.runs(("pass.*", "fail"), ("pass.*", "fail"))
        self.call("compare", old, new, "--html", self.folder / "a.html", status=0)
        self.assertIn("nothing got worse", self.process.stdout)
        self.assertIn("Nothing got worse", self.check_page("a.html"))

    def test_worse_and_better(self):
        old, new = self.runs(("pass.*", "fail"), ("pass.*", "fail"))
        self.change(old, "fail", status="Crash")
        self.call("compare", old, new, status=0)
        self.assertIn(f"better  {CASE}fail: Crash -> Fail", self.process.stdout)
        self.change(new, "pass.one", status="NotSupported", seconds=9.0)
        self.call("compare", old, new, "--html", self.folder / "a.html", status=1)
        self.assertIn(f"worse  {CASE}pass.one: Pass -> NotSupported", self.process.stdout)
        self.assertIn("time of dEQP-VK.fake.pass: 0.0 s -> 9.0 s", self.process.stdout)
        self.assertIn("Something got worse", self.check_page("a.html"))

    def test_a_flake_is_not_worse(self):
        old, new = self.runs(("pass.*",), ("pass.*",))
        self.change(new, "pass.one", status="Fail", verdict="flake")
        self.call("compare", old, new, status=0)
        self.assertIn(f"other  {CASE}pass.one: Pass -> Fail", self.process.stdout)

    def test_other_cases_are_said(self):
        self.call("compare", *self.runs(("pass.*", "warn"), ("pass.*", "fail")), status=0)
        self.assertIn(f"no longer run: 1 cases, {CASE}warn", self.process.stdout)
        self.assertIn(f"new: 1 cases, {CASE}fail", self.process.stdout)

    def test_records_are_compared_by_totals_and_causes(self):
        for name, cases in (("old", ("pass.*",)), ("new", ("pass.one", "pass.two", "fail"))):
            self.run_cases(*cases, options=["--record", self.folder / f"{name}.record"])
        self.call("compare", self.folder / "old.record", self.folder / "new.record", status=1)
        self.assertIn("Fail: wrong: 0 -> 1 cases", self.process.stdout)
        self.call("compare", self.folder / "new.record", self.folder / "old.record", status=0)
        self.assertIn("not compared case by case", self.process.stdout)

    def test_an_incident_is_worse(self):
        self.call("compare", *self.runs(("crash_after",), ("crash_after",)), status=0)
        self.run_cases("leave_after", json="old.json")
        self.call("compare", self.folder / "old.json", self.folder / "new.json", status=1)
        self.assertIn("1 more processes died", self.process.stdout)

    def test_what_is_no_run_is_refused(self):
        self.run_cases("pass.one")
        self.refused(["no record"], "compare", self.folder / "all.json", self.write("x", "{}"))
        self.refused(["cannot be read"], "compare", self.folder / "all.json", self.folder / "none")


if __name__ == "__main__":
    unittest.main()
