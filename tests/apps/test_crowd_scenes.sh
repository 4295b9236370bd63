#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Crowds do not get stuck: in scenes where bodies that hold would block each other, everybody
# arrives in time, whatever the seed; nobody is deeper in anybody than 0.9 %, and no wall is crossed.
# Usage: test_crowd_scenes.sh PROGRAM SEEDS [SCENE...]

. "$(dirname "$0")/crowd_gear.sh"
seeds=$2
shift 2
names=${*:-corridor doorway cross-200 narrow-2 narrow-10 one-goal standing-group corner u-trap \
    queues-crossing inflow stadium-few}

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
            holds "$(figure shuffle_share) < 0.01" ||
                fail "$name, seed $seed: $(figure shuffle_share) of all shuffle" ;;
        esac
    done
done

printTable
finish
