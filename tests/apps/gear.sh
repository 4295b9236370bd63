# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# What the tests of the program share; to be sourced. They take the program's path, and set `folder`
# (empty, removed at the end), `here`, the scenes `walk` and `busy`, and `failures`.

set -u

# What stands in brackets may be left out.
usage=$(sed -n 's/^#.*Usage: //p' "$0")
if [ $# -lt $(($(echo "${usage%%\[*}" | wc -w) - 1)) ]; then
    echo "usage: $usage" >&2
    exit 2
fi

throng=$1
here=$(cd "$(dirname "$0")" && pwd)
walk=$here/scenes/walk.json
busy=$here/scenes/busy.json
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

# needRender: ends the test where the program was built without cairo.
needRender() {
    "$throng" help | grep -q '^  render' && return
    echo 'skipped: built without cairo'
    exit 77
}

# isPicture FILE: it begins and ends as its suffix says.
isPicture() {
    case $1 in
    *.png) [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] &&
        tail -c 12 "$1" | grep -qa IEND ;;
    *.svg) head -c 60 "$1" | grep -q '<?xml' && tail -n 1 "$1" | grep -q '</svg>' ;;
    *.pdf) [ "$(head -c 5 "$1")" = '%PDF-' ] && tail -c 10 "$1" | grep -qa '%%EOF' ;;
    esac
}

# start ARGUMENTS...: the program in the background, as `child`; its messages go to $folder/out.
start() {
    "$throng" "$@" >"$folder/printed" 2>"$folder/out" &
    child=$!
}

# killAfter SECONDS ROUND ARGUMENTS...: a run that is killed then has said nothing.
killAfter() {
    pause=$1
    where="round $2, after $1 s"
    shift 2
    start "$@"
    sleep "$pause"
    kill -9 "$child" 2>/dev/null
    wait "$child" 2>/dev/null
    [ ! -s "$folder/out" ] || fail "$where: messages"
}

# endAfter SECONDS ARGUMENTS...: a run that is asked to end then does so in order.
endAfter() {
    pause=$1
    shift
    start "$@"
    sleep "$pause"
    kill -TERM "$child"
    wait "$child"
    [ $? -eq 1 ] || fail "throng $*: it was interrupted and does not end with 1"
}

# figure NAME [FILE]: a number of a summary
figure() {
    sed -n "s/.*\"$1\": \\([0-9.e-]*\\).*/\\1/p" "${2:-$folder/summary}"
}

# How many people there were.
everybody() {
    sed -n 's/^  "agents": \([0-9]*\),/\1/p' "$folder/summary"
}

# figures FILE: a summary without what differs from machine to machine and from time to time.
figures() {
    grep -Ev '"(threads|simd|ms_per_step|stages_ms|record_ms|ns_per_agent_step|realtime_factor|bytes)":' "$1"
}

finish() {
    [ "$failures" -eq 0 ] && echo 'all passed'
    exit "$((failures > 0))"
}
