#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# What recording costs: whole runs without and with it, one after the other, in turns. Of each kind
# the fastest counts. `recording` is what the run itself measured, with the file that is written at
# the end; `added` is how much longer the whole program ran.
# Usage: record_cost.sh PROGRAM [SCENE [STEPS [TURNS]]]

set -u
throng=$1
scene=${2-random-100k}
steps=${3-300}
turns=${4-3}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# measure NAME OPTIONS...: appends to $folder/NAME: ms for each step of the whole program, of steps,
# of recording.
measure() {
    name=$1
    shift
    begin=$(date +%s%N)
    "$throng" run "$scene" --quiet --steps "$steps" --summary "$folder/summary" "$@" || exit 3
    end=$(date +%s%N)
    mean=$(sed -n 's/.*"ms_per_step":.*"mean": \([0-9.e+-]*\).*/\1/p' "$folder/summary")
    record=$(sed -n 's/.*"record_ms": \([0-9.e+-]*\).*/\1/p' "$folder/summary")
    echo "$begin $end $steps $mean ${record:-0}" |
        awk '{ print ($2 - $1) / 1e6 / $3, $4, $5 }' >>"$folder/$name"
}

best() { # FILE COLUMN
    sort -g -k "$2,$2" "$folder/$1" | awk -v column="$2" 'NR == 1 { print $column }'
}

echo "$scene, $steps steps, ms for each step; bounds are on the share of recording"
printf '%-8s  %9s  %9s  %9s  %9s  %9s\n' '' without with added recording share
failed=0
for kind in thlog:25 h5:25 sqlite:60 txt:; do
    suffix=${kind%:*}
    bound=${kind#*:}
    "$throng" run "$scene" --quiet --steps 0 --record "$folder/x.$suffix" 2>/dev/null || continue
    turn=0
    while [ "$turn" -lt "$turns" ]; do
        turn=$((turn + 1))
        measure "without-$suffix"
        measure "with-$suffix" --record "$folder/x.$suffix" --fps 10
        rm -f "$folder/x.$suffix"
    done
    echo "$suffix $(best "without-$suffix" 1) $(best "with-$suffix" 1) $(best "with-$suffix" 3)" |
        awk -v bound="$bound" '{
            share = 100 * $4 / $2
            printf "%-8s  %9.2f  %9.2f  %7.1f %%  %9.2f  %7.1f %%", "." $1, $2, $3,
                100 * ($3 / $2 - 1), $4, share
            bad = bound != "" && share > bound
            print bound == "" ? "" : (bad ? "  more than " : "  within ") bound " %"
            exit bad
        }' || failed=1
done
exit "$failed"
