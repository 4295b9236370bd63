#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# What a run costs beyond its steps: reading the scene, measures, telling. Whole runs with the
# measures they have by default, one after the other, in turns; of each scene the fastest counts.
# `steps` is the time of all steps as the run itself measured it, `set-up` that of a run without
# steps, `whole` that of the program; ratios are to `steps`, the second without set-up.
# Usage: run_cost.sh PROGRAM [STEPS [TURNS [THREADS [SCENE...]]]]

set -u
throng=$1
steps=${2-300}
turns=${3-3}
threads=${4-1}
[ $# -le 4 ] && set -- - - - - evacuation-5000 stadium-25k random-100k city-100k
shift 4
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# run SCENE STEPS: prints how long the program ran [ms], and its steps.
run() {
    begin=$(date +%s%N)
    "$throng" run "$1" --quiet --threads "$threads" --steps "$2" --summary "$folder/summary" ||
        exit 3
    end=$(date +%s%N)
    mean=$(sed -n 's/.*"ms_per_step":.*"mean": \([0-9.e+-]*\).*/\1/p' "$folder/summary")
    echo "$begin $end $2 ${mean:-0}" | awk '{ print ($2 - $1) / 1e6, $3 * $4 }'
}

echo "$steps steps, $threads thread(s), ms; at most 1.15 times the steps"
printf '%-16s  %9s  %9s  %9s  %7s  %7s\n' '' steps set-up whole ratio without
failed=0
for scene; do
    turn=0
    while [ "$turn" -lt "$turns" ]; do
        turn=$((turn + 1))
        run "$scene" "$steps" >>"$folder/$scene" || exit 3
        run "$scene" 0 >>"$folder/$scene.0" || exit 3
    done
    echo "$scene $(sort -g "$folder/$scene" | head -n 1) $(sort -g "$folder/$scene.0" | head -n 1)" |
        awk '{
            bad = $2 > 1.15 * $3
            printf "%-16s  %9.0f  %9.0f  %9.0f  %7.3f  %7.3f%s\n", $1, $3, $4, $2, $2 / $3,
                ($2 - $4) / $3, bad ? "  above" : ""
            exit bad
        }' || failed=1
done
exit "$failed"
