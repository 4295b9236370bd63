#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Nobody waits for ever where people keep coming: from recordings of `inflow`, how long everybody is
# there, from creation to arrival. While fewer come than the passage can take, the longest wait does
# not grow from quarter to quarter of an hour; when more come than it can take, everybody who was
# let in gets through after they have stopped coming.
# Usage: test_crowd_waiting.sh PROGRAM SEEDS

. "$(dirname "$0")/crowd_gear.sh"
seeds=$2

# waitsOf END: of the recording, a line for each person who has left by then: when it came, and how
# long it was there [s], shortest first.
waitsOf() {
    expect 0 '' measure "$folder/run.thlog" --quiet --csv "$folder/run"
    awk -F , -v end="$1" 'NR > 1 && $3 < end { print $2, $3 - $2 }' "$folder/run-people.csv" |
        sort -n -k 2
}

# quantiles FROM TO: of the waits of those who came then: median, 95 %, longest
quantiles() {
    awk -v from="$1" -v to="$2" '
        $1 >= from && $1 < to { wait[++count] = $2 }
        END { print wait[int(0.5 * count + 0.5)], wait[int(0.95 * count + 0.5)], wait[count] }' \
        "$folder/waits"
}

# tellWaits WHAT FROM TO BOUND: leaves the 95 % in `most`.
tellWaits() {
    set -- "$1" "$4" $(quantiles "$2" "$3")
    echo "$1: median $3 s, 95 % $4 s, longest $5 s"
    holds "$5 <= $2" || fail "$1: somebody was there for $5 s, not at most $2 s"
    most=$4
}

for seed in $(seq "$seeds"); do
    runCrowd 'an hour, 0.8 a second' "$seed" inflow --record "$folder/run.thlog" --fps 2
    waitsOf 3599 >"$folder/waits"
    tellWaits "an hour, seed $seed" 0 3600 240
    tellWaits '    first quarter' 0 900 240
    first=$most
    tellWaits '    second quarter' 900 1800 240
    tellWaits '    third quarter' 1800 2700 240
    tellWaits '    last quarter' 2700 3600 240
    holds "$most <= 1.5 * $first" || fail "an hour, seed $seed: waits grow"
done

for seed in $(seq "$seeds"); do
    runCrowd 'five minutes, 1.2 a second' "$seed" inflow --record "$folder/run.thlog" --fps 2 \
        --set agents[0].source.rate=0.6 --set agents[1].source.rate=0.6 \
        --set agents[0].source.to=300 --set agents[1].source.to=300 \
        --set 'time.end={"arrived": true, "at": 1200}'
    judgeCrowd "five minutes, seed $seed" 600 360
    waitsOf 1200 >"$folder/waits"
    tellWaits "five minutes, seed $seed" 0 300 420
done

printTable
finish
