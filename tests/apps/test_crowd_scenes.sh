#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Crowds do not get stuck: in scenes where bodies that hold would block each other, everybody
# arrives in time, whatever the seed; nobody is deeper in anybody than 0.9 %, and no wall is crossed.
# Usage: test_crowd_scenes.sh PROGRAM SEEDS [SCENE...]

. "$(dirname "$0")/gear.sh"
. "$(dirname "$0")/crowd_gear.sh"
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
    one-goal) echo 20 ;;
    standing-group) echo 30 ;;
    circle-1k) echo 340 ;;
    circle-1k-large) echo 550 ;;
    streams-4) echo 280 ;;
    evacuation) echo 175 ;;
    evacuation-1000) echo 130 ;;
    corner) echo 100 ;;
    u-trap) echo 30 ;;
    queues-crossing) echo 200 ;;
    inflow) echo 3600 ;;
    station) echo 330 ;;
    stadium-few) echo 65 ;;
    stadium-25k) echo 230 ;;
    evacuation-10000) echo 600 ;;
    *) fail "no bound for $1" ;;
    esac
}

# wantedOf SCENE: how many people arrive
wantedOf() {
    agents=$(everybody)
    case $1 in
    standing-group) echo 1 ;;                    # the others stand
    inflow) echo "$((agents - agents / 50))" ;; # the last are still under way
    *) echo "$agents" ;;
    esac
}

# sceneOf NAME: the scene, and what is changed in it
sceneOf() {
    case $1 in
    stadium-few) echo 'stadium-25k --set agents[0].grid.rows=1 --set agents[1].grid.columns=1' ;;
    *) echo "$1" ;;
    esac
}

for name in $names; do
    for seed in $(seq "$seeds"); do
        # shellcheck disable=SC2046 # several words
        runCrowd "$name" "$seed" $(sceneOf "$name")
        judgeCrowd "$name, seed $seed" "$(boundOf "$name")" "$(wantedOf "$name")"
        case $name in
        evacuation*) # queues that come round corners from both sides are no jams
            awk "BEGIN { exit !($(figure shuffle_share) < 0.01) }" ||
                fail "$name, seed $seed: $(figure shuffle_share) of all shuffle" ;;
        esac
    done
done

printTable
finish
