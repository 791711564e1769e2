#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the links of the tree's pages: each leads to a file that is there, and to one of its headings.

usage: doc_links.py <root of the tree>   prints each dead link; exit status 1 if there is one, 77 without git
"""
import pathlib
import re
import shutil
import subprocess
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^( *)```.*?^\1```", re.M | re.S)


def anchors(page):
    """As GitHub and others make them of headings."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text()), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def main():
    root = pathlib.Path(sys.argv[1])
    if not (root / ".git").exists() or shutil.which("git") is None:
        print("not run: there is no git repository, or no git, to tell which pages are the tree's")
        return 77
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "*.md"]
    listed = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, check=True).stdout.decode()
    dead = []
    for name in filter(None, listed.split("\0")):
        page = root / name
        if not page.exists():
            continue
        for link in LINK.findall(FENCED.sub("", page.read_text())):
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            if "://" in link or link.startswith("mailto:"):
                continue
            if not target.exists():
                dead.append(f"{name}: {link} is not there")
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                dead.append(f"{name}: {link} names no heading of that page")
    print("\n".join(dead))
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
