# SPDX-License-Identifier: Apache-2.0

# Sourced by the other scripts before they do anything. Where -h or --help is among the arguments it prints
# the script's first comment and ends it; wrongUsage ends it, with status 2, for an argument that the script
# does not know.

wrongUsage() { # <argument>
  printf '%s: what is %s? See --help.\n' "$0" "$1" >&2
  exit 2
}
for argument; do
  case $argument in
  -h | --help)
    sed -n '3,${/^#/!q;s/^# \{0,1\}//p}' "${BASH_SOURCE[1]}"
    exit 0
    ;;
  esac
done
