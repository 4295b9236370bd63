#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Crowds do not get stuck: in scenes where bodies that hold would block each other, everybody
# arrives in time, whatever the seed; nobody is deeper in anybody than 1 %, and no wall is crossed.
# Usage: test_crowd_scenes.sh PROGRAM SEEDS [SCENE...]

. "$(dirname "$0")/gear.sh"
seeds=$2
shift 2
names=${*:-corridor doorway cross-200 narrow-2 narrow-10 one-goal standing-group corner u-trap \
    queues-crossing inflow stadium-few}

# boundOf SCENE: until when everybody has arrived [s]
boundOf() {
    case $1 in
    corridor) echo 140 ;;
    doorway) echo 125 ;;
    cross-200) echo 105 ;;
    cross-800) echo 400 ;;
    narrow-2) echo 45 ;;
    narrow-10) echo 80 ;;
    one-goal) echo 30 ;;
    standing-group) echo 36 ;;
    circle-1k) echo 340 ;;
    circle-1k-large) echo 550 ;;
    streams-4) echo 570 ;;
    evacuation) echo 175 ;;
    corner) echo 100 ;;
    u-trap) echo 30 ;;
    queues-crossing) echo 200 ;;
    inflow) echo 3600 ;;
    station) echo 330 ;;
    stadium-few) echo 65 ;;
    stadium-25k) echo 230 ;;
    evacuation-10000) echo 450 ;;
    *) fail "no bound for $1" ;;
    esac
}

# sceneOf NAME: the scene, and what is changed in it
sceneOf() {
    case $1 in
    stadium-few) echo 'stadium-25k --set agents[0].grid.rows=1 --set agents[1].grid.columns=1' ;;
    *) echo "$1" ;;
    esac
}

# figure NAME: a number of the summary
figure() {
    sed -n "s/.*\"$1\": \\([0-9.e-]*\\).*/\\1/p" "$folder/summary"
}

for name in $names; do
    bound=$(boundOf "$name")
    for seed in $(seq "$seeds"); do
        # shellcheck disable=SC2046 # several words
        expect 0 '' run $(sceneOf "$name") --seed "$seed" --quiet --check-walls --summary "$folder/summary"
        wanted=$(sed -n 's/^  "agents": \([0-9]*\),/\1/p' "$folder/summary")
        [ "$name" != standing-group ] || wanted=1 # the others stand
        [ "$name" != inflow ] || wanted=$((wanted - wanted / 50)) # the last are still under way
        [ "$(figure arrived)" -ge "$wanted" ] ||
            fail "$name, seed $seed: $(figure arrived) of $wanted arrived"
        awk "BEGIN { exit !($(figure time_last_arrival) <= $bound) }" ||
            fail "$name, seed $seed: the last arrived at $(figure time_last_arrival) s, not by $bound s"
        [ "$(figure pairs_per_step)" = 0 ] || fail "$name, seed $seed: collisions"
        [ "$(figure wall_crossings)" = 0 ] || fail "$name, seed $seed: walls"
        echo "$name, seed $seed: $wanted at $(figure time_last_arrival) s," \
            "stuck $(figure stuck_max), $(figure reversals) reversals"
    done
done

finish
