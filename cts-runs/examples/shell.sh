#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The CTS on a machine without a GPU, by hand or in any CI system: installs the driver from an archive, runs a
# list of cases, and ends with a verdict. Started again after it was killed, it goes on where it was.
#
#   shell.sh ARCHIVE DEQP [LIST]      for example: shell.sh tessera-0.1.0-linux-x86_64.tar.xz ~/cts/deqp-vk
set -euo pipefail
archive=${1:?an archive of the driver} deqp=${2:?the deqp-vk to run} list=${3:-smoke}

mkdir -p tessera
tar -xJf "$archive" -C tessera --strip-components=1
cts_runs=$PWD/tessera/share/tessera/cts-runs
"$cts_runs/install-driver" tessera >variables
. ./variables

"$cts_runs/run" --deqp "$deqp" --jobs "$(nproc)" --resume \
  --json results.json --html results.html --junit results.xml "$cts_runs/lists/$list.txt"
