# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# What the tests of the program share; to be sourced. They take the program's path, and set `folder`
# (empty, removed at the end), `here` and `failures`.

set -u

# What stands in brackets may be left out.
usage=$(sed -n 's/^#.*Usage: //p' "$0")
if [ $# -lt $(($(echo "${usage%%\[*}" | wc -w) - 1)) ]; then
    echo "usage: $usage" >&2
    exit 2
fi

throng=$1
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
failures=0
unset NO_COLOR THRONG_SCENES

# Programs that look for leaks are not to mind what fontconfig keeps.
echo 'leak:libfontconfig' >"$folder/kept"
export LSAN_OPTIONS="suppressions=$folder/kept:print_suppressions=0"

fail() {
    echo "FAILED: $*"
    [ ! -s "$folder/out" ] || sed 's/^/    /' "$folder/out"
    failures=$((failures + 1))
}

# expect CODE TEXT ARGUMENTS...: the program ends with that code and prints that text somewhere; an
# empty text stands for no output at all.
expect() {
    code=$1
    text=$2
    shift 2
    "$throng" "$@" >"$folder/out" 2>&1
    found=$?
    [ "$found" -eq "$code" ] || fail "throng $*: exit code $found, expected $code"
    if [ -n "$text" ]; then
        grep -qF -- "$text" "$folder/out" || fail "throng $*: no '$text' in the output"
    elif [ -s "$folder/out" ]; then
        fail "throng $*: not silent"
    fi
}

# figures FILE: a summary without what differs from machine to machine and from time to time.
figures() {
    grep -Ev '"(threads|simd|ms_per_step|stages_ms|record_ms|ns_per_agent_step|realtime_factor|bytes)":' "$1"
}

finish() {
    [ "$failures" -eq 0 ] && echo 'all passed'
    exit "$((failures > 0))"
}
