# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# What tests of benchmarks' command lines share; to be sourced with the program's path as $1. Sets
# `bench`, `folder` (empty, removed at the end) and `failures`.

set -u
bench=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' "$folder/out"
    failures=$((failures + 1))
}

# expect CODE TEXT ARGUMENTS...: the program ends with that code and prints that text somewhere.
expect() {
    code=$1
    text=$2
    shift 2
    "$bench" "$@" >"$folder/out" 2>&1
    found=$?
    [ "$found" -eq "$code" ] || fail "${bench##*/} $*: exit code $found, expected $code"
    grep -qF -- "$text" "$folder/out" || fail "${bench##*/} $*: no '$text' in the output"
}
