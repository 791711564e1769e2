# SPDX-License-Identifier: Apache-2.0

# Sourced by scripts that take packages of another suite without touching the system: a private
# configuration of apt. Signatures are checked all the same.

# The keyring of the archive that this machine takes its own packages from.
archiveKeyring() {
  local id; id=$(. /etc/os-release && echo "$ID")
  echo "/usr/share/keyrings/$id-archive-keyring.gpg"
}

# Where this machine takes its own packages from; nothing where apt does not know yet.
archiveUri() {
  apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' 'Created-By: Packages' |
    awk '($2 == "Debian" || $2 == "Ubuntu") && $3 == $2 && !seen {print $1; seen = 1}'
}

# privateApt <folder> <types> <uri> <suite>: sets the array `apt` to apt-get for that suite alone, which keeps
# all of its state in the folder. `types`: deb, deb-src or both.
privateApt() {
  mkdir -p "$1"/lists/partial "$1"/cache/archives/partial
  : >"$1/status"
  printf 'Types: %s\nURIs: %s\nSuites: %s\nComponents: main%s\nArchitectures: %s\nSigned-By: %s\n' \
    "$2" "$3" "$4" "$([[ $3 != *ubuntu* ]] || echo ' universe')" "$(dpkg --print-architecture)" "$(archiveKeyring)" \
    >"$1/suite.sources"
  apt=(apt-get -q
    -o Dir::Etc::sourcelist="$1/suite.sources" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::Etc::trusted=/dev/null -o Dir::Etc::trustedparts=/dev/null
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o Dir::State::Lists="$1/lists" -o Dir::State::status="$1/status"
    -o Dir::Cache="$1/cache" -o APT::Sandbox::User=root -o Acquire::Languages=none
    # A mirror may lag; signatures are checked all the same.
    -o Acquire::Check-Valid-Until=false)
}
