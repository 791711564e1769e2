# SPDX-License-Identifier: Apache-2.0
"""Runs in gdb: the commands of a file, one after the other, whether they fail or not, with a mark before each."""

import json
import os

import gdb

with open(os.environ["TESSERA_TEST_COMMANDS"], encoding="utf-8") as commands:
    for command in json.load(commands):
        gdb.write("\x1e")
        gdb.flush()
        try:
            gdb.execute(command)
        except gdb.error as error:
            gdb.write(f"{error}\n")
        gdb.flush()
