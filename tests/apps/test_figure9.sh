#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# ClearPath's Figure 9: people walk to and fro on a strip without contacts; pairs in a frame that
# overlap by more than 1 %, for 10 to 100 people and several controllers. With contacts there are
# none. Prints the table. Usage: test_figure9.sh PROGRAM [FRAMES [SEEDS]]

. "$(dirname "$0")/crowd_gear.sh"
frames=${2:-600}
seeds=${3:-1}
controllers='steer-weak steer steer+clearpath seek+clearpath clearpath orca'

# optionsOf CONTROLLER: `seek` is the planner `steer` that leaves avoidance to the method behind it.
optionsOf() {
    case $1 in
    steer+clearpath) echo '--plan steer --avoid clearpath' ;;
    seek+clearpath)
        echo '--avoid clearpath --set profiles.walker.plan={"steer":{"avoidance":false}}' ;;
    *) echo "--avoid $1" ;;
    esac
}

# boundsOf CONTROLLER PEOPLE: the least and the most pairs in a frame
boundsOf() {
    case $1-$2 in
    steer-weak-80) echo 8 32 ;;
    steer+clearpath-*) echo 0 0.01 ;;
    *clearpath-[1-4]0) echo 0 0.05 ;;
    *clearpath-80) echo 0 1 ;;
    *) echo 0 1000 ;;
    esac
}

# countPairs CONTROLLER PEOPLE OPTIONS...: sets `pairs`, the mean of all seeds
countPairs() {
    what=$1
    people=$2
    shift 2
    : >"$folder/pairs"
    for seed in $(seq "$seeds"); do
        rm -f "$folder/summary"
        # shellcheck disable=SC2046 # several words
        expect 0 '' run "back-forth-$people" $(optionsOf "$what") --steps "$frames" \
            --seed "$seed" --quiet --summary "$folder/summary" "$@"
        figure pairs_per_step >>"$folder/pairs"
    done
    pairs=$(awk '{ sum += $1 } END { printf "%.4g", (NR > 0 ? sum / NR : 1e9) }' "$folder/pairs")
}

printf '%6s' people
# shellcheck disable=SC2086 # several words
printf ' %15s' $controllers
echo
for people in $(seq 10 10 100); do
    printf '%6s' "$people"
    for what in $controllers; do
        countPairs "$what" "$people" --set contacts=false
        printf ' %15s' "$pairs"
        # shellcheck disable=SC2046 # two words
        set -- $(boundsOf "$what" "$people")
        holds "$1 <= $pairs && $pairs <= $2" ||
            echo "$what, $people people: $pairs pairs, not $1 to $2" >>"$folder/wrong"
    done
    echo
done
[ ! -e "$folder/wrong" ] || fail "$(cat "$folder/wrong")"

for what in $controllers; do
    countPairs "$what" 100
    [ "$pairs" = 0 ] || fail "$what: pairs overlap with contacts"
done
finish
