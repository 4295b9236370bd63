#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Runs that are killed while they record: every frame that was complete is there, and the recording
# of a run that goes on is that of one that was never broken off.
# Usage: test_program_record_kill.sh PROGRAM FRAME_ENDS ROUNDS

. "$(dirname "$0")/gear.sh"
frameEnds=$2
rounds=$3
cd "$folder" || exit 1

# Long enough to be hit.
set -- run "$busy" --quiet --until 1500
"$throng" "$@" --record whole.thlog || fail 'the run that is not broken off'
"$frameEnds" whole.thlog >whole

# A sequence of pauses that looks random and is always the same. [s]
state=1
nextPause() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    pause=$(awk -v state=$state 'BEGIN { printf "%.3f", 0.02 + 0.4 * state / 2147483648 }')
}

# The log is that of the whole run up to a frame, and perhaps some bytes of the next one.
isPrefix() { # LOG
    [ -s "$1" ] || return 0
    cmp -n "$(wc -c <"$1")" "$1" whole.thlog || fail "round $round, after $pause s: other bytes"
    size=$(wc -c <"$1")
    # Every frame that ends within the file is found, and nothing else.
    awk -v size="$size" '$3 != "" && $3 <= size' whole >expected
    "$frameEnds" "$1" >ends
    grep -Ev '^(end|cut|no log.*)$' ends >found
    cmp expected found || fail "round $round, after $pause s: frames are lost"
}

round=0
hit=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    rm -f busy.thsnap part.thlog
    kills=0
    while [ "$kills" -lt 2 ]; do
        kills=$((kills + 1))
        resume=
        [ ! -e busy.thsnap ] || resume='--resume busy.thsnap'
        nextPause
        # The words of $resume are two, on purpose.
        killAfter "$pause" $round "$@" --record part.thlog --snapshot-every 37 $resume
        isPrefix part.thlog
        [ ! -s part.thlog ] || cmp -s part.thlog whole.thlog || hit=$((hit + 1))
    done
    if [ -e busy.thsnap ]; then
        "$throng" "$@" --record part.thlog --resume busy.thsnap >out 2>&1 ||
            fail "round $round: cannot go on"
        cmp part.thlog whole.thlog || fail "round $round: another recording"
    fi
done
[ "$rounds" -lt 5 ] || [ "$hit" -gt 0 ] || fail 'no run was hit before its end'

# Ctrl-C: the recording is complete.
endAfter 0.5 run "$busy" --until 100000 --record part.thlog --summary part.json
steps=$(figure steps part.json)
"$frameEnds" part.thlog >ends
[ "$(tail -n 1 ends)" = end ] || fail 'the recording of an interrupted run is complete'
[ "$(wc -l <ends)" -eq $((steps + 2)) ] || fail 'it has every frame'

finish
