# SPDX-License-Identifier: Apache-2.0

"""The end of a test program whose skips ctest shows: exit status 77, after the reasons."""

import sys
import unittest


def main():
    result = unittest.main(exit=False).result
    for test, reason in result.skipped:
        print(f"skipped: {test}: {reason}")
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
