# SPDX-License-Identifier: Apache-2.0
"""The shell steps of the examples for CI systems do what they say, with an archive that has no driver in it,
programs of the system that only say that they ran, and a deqp-vk of few cases. packaging/try_in_roots does the
same with real ones."""

import os
import re
import shutil
import subprocess
import tarfile
import textwrap
import unittest
from pathlib import Path

from harness import FAKE, RUNS, ProgramTest

EXAMPLES = RUNS / "examples"
ARCHIVE = "tessera-0.1.0-linux-x86_64"
VULKANINFO = """#!/bin/sh
[ -f "$VK_DRIVER_FILES" ] && [ "$VK_DRIVER_FILES" = "$VK_ICD_FILENAMES" ] || exit 1
echo "	deviceName         = ${FAKE_DEVICE-Tessera (of a test)}"
"""


def blocks(text, key):
    """The texts that stand as `key: |` or `- |` in YAML."""
    found = []
    for match in re.finditer(rf"^( *)(?:- )?{key}\|\n((?:\1 .*\n|\n)+)", text, re.MULTILINE):
        found.append(textwrap.dedent(match[2]))
    return found


def mapping(text, key):
    """The words below the first `key:` in YAML."""
    lines = re.search(rf"^( *){key}:\n((?:\1 .*\n)+)", text, re.MULTILINE)[2]
    return dict(re.findall(r"^ *(\w+): (.*)$", lines, re.MULTILINE))


class CiExamplesTest(ProgramTest):
    def setUp(self):
        super().setUp()
        tree = self.folder / "archive" / ARCHIVE
        shutil.copytree(RUNS, tree / "share/tessera/cts-runs", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("smoke", "cooperative_matrix"):
            (tree / f"share/tessera/cts-runs/lists/{name}.txt").write_text("dEQP-VK.fake.pass.*\ndEQP-VK.fake.warn\n")
        manifest = tree / "share/vulkan/icd.d/tessera_icd.x86_64.json"
        manifest.parent.mkdir(parents=True)
        manifest.write_text('{"ICD": {"library_path": "../../../lib/libvulkan_tessera.so"}}')
        self.archive = self.folder / f"{ARCHIVE}.tar.xz"
        with tarfile.open(self.archive, "w:xz") as archive:
            archive.add(tree, ARCHIVE)
        programs = self.folder / "programs"
        programs.mkdir()
        for name, text in (("vulkaninfo", VULKANINFO), ("apt-get", "#!/bin/sh\n"), ("ldconfig", "#!/bin/sh\necho libvulkan.so.1\n")):
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        self.environment["PATH"] = f"{programs}:{os.environ['PATH']}"
        self.work = self.folder / "work"
        self.work.mkdir()

    def bash(self, script, *arguments, status=0, **variables):
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script, "bash", *map(str, arguments)], cwd=self.work,
                              env={**self.environment, **{k: str(v) for k, v in variables.items()}},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def install(self, archive, *arguments, status=0, **variables):
        return self.bash(f'"{RUNS}/install-driver" "$@"', archive, *arguments, status=status, **variables)

    def test_installing_selects_the_driver(self):
        said = self.install(self.archive, "a folder").stdout
        done = self.bash(said + 'echo "$VK_DRIVER_FILES $VK_ICD_FILENAMES"; echo "$PATH"').stdout
        manifest = f"{self.work}/a folder/share/vulkan/icd.d/tessera_icd.x86_64.json"
        self.assertTrue(done.startswith(f"{manifest} {manifest}\n{self.work}/a folder/bin:"), done)
        self.assertEqual(self.install("a folder").stdout, said)

    def test_what_is_no_driver_is_refused_in_a_line(self):
        for archive, words, variables in (
            ("nowhere.tar.xz", "there is no file nowhere.tar.xz", {}),
            (FAKE, "is no archive of the driver", {}),
            (self.work, "is no archive of the driver", {}),
            ("", "which archive?", {}),
            (self.archive, "has the checksum", {"TESSERA_SHA256": "0" * 64}),
            (self.archive, "the loader does not find the driver", {"FAKE_DEVICE": "llvmpipe"}),
        ):
            with self.subTest(words):
                said = self.install(archive, status=1, **variables)
                self.assertIn(words, said.stderr)
                self.assertEqual(said.stdout, "")

    def test_the_action_sets_what_later_steps_need(self):
        text = (RUNS / "github-action/action.yml").read_text()
        step, = blocks(text, "run: ")
        files = {name: self.folder / name for name in ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT")}
        self.bash(step, GITHUB_ACTION_PATH=RUNS / "github-action", RUNNER_TEMP=self.folder, VERSION="0.1.0",
                  REPOSITORY="https://example.org/x", ARCHIVE=self.archive, FOLDER="", TESSERA_SHA256="", **files)
        folder = self.folder / "tessera"
        manifest = f"{folder}/share/vulkan/icd.d/tessera_icd.x86_64.json"
        self.assertEqual(files["GITHUB_ENV"].read_text(), f"VK_DRIVER_FILES={manifest}\nVK_ICD_FILENAMES={manifest}\n")
        self.assertEqual(files["GITHUB_PATH"].read_text(), f"{folder}/bin\n")
        self.assertEqual(files["GITHUB_OUTPUT"].read_text(), f"folder={folder}\nmanifest={manifest}\n")
        described = re.findall(r"^  (\w+):\n    description", text.split("\noutputs:")[0], re.MULTILINE)
        self.assertEqual(set(re.findall(r"inputs\.(\w+)", text)), set(described))

    def test_the_workflow_has_one_verdict_of_four_machines(self):
        self.install(self.archive)
        text = (EXAMPLES / "github-workflow.yml").read_text()
        text = text.replace("${{ steps.tessera.outputs.folder }}", str(self.work / "tessera"))
        quarter, verdict = (step for step in text.split("\n      - ") if "run: |" in step)
        run, = blocks(quarter + "\n", "run: ")
        for shard in "1234":
            self.bash(run, **{**mapping(quarter, "env"), "SHARD": shard, "DEQP": FAKE})
        self.check_verdict(blocks(verdict + "\n", "run: ")[0], **mapping(verdict, "env"), GITHUB_STEP_SUMMARY="summary.md")
        self.assertIn("3 Pass", (self.work / "summary.md").read_text())

    def test_gitlab_has_one_verdict_of_four_machines(self):
        text = (EXAMPLES / "gitlab-ci.yml").read_text()
        before, run, verdict = blocks(text, "")
        variables = {**mapping(text, "variables"), "TESSERA_ARCHIVE": self.archive, "DEQP": FAKE}
        for node in "1234":
            self.bash(before + run, **variables, CI_NODE_INDEX=node, CI_NODE_TOTAL="4")
        self.check_verdict(before + verdict, **variables)

    def check_verdict(self, script, **variables):
        self.bash(script, **variables)
        self.assertIn("<title>Vulkan CTS", (self.work / "cts.html").read_text())
        self.assertEqual((self.work / "cts.xml").read_text().count("<testcase "), 4)
        (self.work / "results/3.json").unlink()
        said = self.bash(script, status=1, **variables)
        self.assertRegex(said.stdout + said.stderr, "shard.* 3")

    def test_a_shell_runs_a_list_and_ends_with_its_verdict(self):
        said = self.bash(f'"{EXAMPLES}/shell.sh" "$@"', self.archive, FAKE)
        self.assertIn("3 Pass", said.stdout)
        for name in ("results.json", "results.html", "results.xml"):
            self.assertTrue((self.work / name).is_file(), name)
        self.assertFalse(Path(self.work / "results.json.journal").exists())


if __name__ == "__main__":
    unittest.main()
