#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Breaking off and going on: runs that are killed at random moments go on to the same end, and Ctrl-C
# ends a run in order. Usage: test_program_kill.sh PROGRAM ROUNDS

. "$(dirname "$0")/gear.sh"
rounds=$2
cd "$folder" || exit 1

# Long enough to be hit.
set -- run "$busy" --quiet --until 120
"$throng" "$@" --summary whole.json --hashes whole.txt || fail 'the run that is not broken off'
figures whole.json >whole

random() { # FROM TO: milliseconds as seconds
    od -An -N2 -tu2 /dev/urandom | awk -v from="$1" -v to="$2" \
        '{ printf "%.3f", (from + $1 % (to - from + 1)) / 1000 }'
}

round=0
resumed=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    rm -f busy.thsnap part.txt part.json
    hits=0
    # Killed several times in a row, each time going on from what is there.
    while [ "$hits" -lt 3 ]; do
        hits=$((hits + 1))
        resume=
        [ ! -e busy.thsnap ] || resume='--resume busy.thsnap'
        # The words of $resume are two, on purpose.
        killAfter "$(random 20 400)" $round "$@" --snapshot-every 7 --hashes part.txt $resume
    done
    resume=
    if [ -e busy.thsnap ]; then
        resume='--resume busy.thsnap'
        resumed=$((resumed + 1))
    fi
    "$throng" "$@" --hashes part.txt --summary part.json --snapshot-every 50 $resume >out 2>&1 ||
        fail "round $round: cannot go on"
    cmp whole.txt part.txt || fail "round $round: other hashes"
    figures part.json >part
    diff whole part || fail "round $round: other figures"
done
[ "$rounds" -lt 5 ] || [ "$resumed" -gt 0 ] || fail 'no round came to a snapshot'

# Ctrl-C, and the same by SIGTERM. Shells start jobs in the background with SIGINT ignored.
interrupt() { # PROGRAM...
    "$@" run "$busy" --until 100000 --summary part.json --hashes part.txt --snapshot cut.thsnap \
        >out 2>messages &
    child=$!
    sleep 1
}
ends() { # SIGNAL
    kill -"$1" "$child"
    wait "$child"
    [ $? -eq 1 ] || fail "$1: an interrupted run ends with 1"
    grep -q '^throng run: interrupted at t = [0-9.]* s$' messages || fail "$1: nothing is told"
    rm -f one.txt two.txt
    steps=$(figure steps part.json)
    [ "$(wc -l <part.txt)" -eq "$steps" ] || fail "$1: the hashes are not complete"
    "$throng" run "$busy" --steps $((steps + 100)) --hashes one.txt --resume cut.thsnap --quiet ||
        fail "$1: the run cannot go on"
    "$throng" run "$busy" --steps $((steps + 100)) --hashes two.txt --quiet
    tail -n 100 two.txt | cmp - one.txt || fail "$1: other hashes"
}
interrupt "$throng"
kill -INT "$child"
sleep 0.2
kill -0 "$child" || fail 'SIGINT is heard although it was ignored'
ends TERM
if env --default-signal=INT true 2>/dev/null; then
    interrupt env --default-signal=INT "$throng"
    ends INT
fi

# A second one ends the program at once, which the shell tells as 128 + its number. It has to come
# before the step ends in which the first one came, which may take some trials.
trial=0
code=1
while [ "$code" -eq 1 ] && [ "$trial" -lt 20 ]; do
    trial=$((trial + 1))
    "$throng" run random-100k --quiet --steps 100000 --threads 1 --simd scalar 2>out &
    child=$!
    sleep 1
    kill -TERM "$child"
    sleep 0.01
    kill -TERM "$child"
    wait "$child"
    code=$?
done
[ "$code" -eq 143 ] || fail "the second signal: exit code $code after $trial trials"

# Of several runs those count that are complete.
endAfter 1 run "$busy" --until 20 --runs 10000 --summary part.json
complete=$(grep -c '"state_hash"' part.json)
grep -qx "throng run: interrupted: $complete of 10000 runs were complete" out ||
    fail "it is told that $complete runs were complete"

finish
