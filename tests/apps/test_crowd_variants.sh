#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Crowds do not get stuck either when people differ, are slow to turn, keep to the left, or some to
# the right and some to the left, when a trolley drives through them, and with other methods.
# Usage: test_crowd_variants.sh PROGRAM SEEDS

. "$(dirname "$0")/crowd_gear.sh"
seeds=$2

# boundOf SCENE: until when everybody has arrived [s]: about one and a half times the worst seen.
boundOf() {
    case $1 in
    corridor) echo 300 ;;
    doorway) echo 220 ;;
    cross-200) echo 160 ;;
    narrow-10) echo 90 ;;
    esac
}

# tryVariant WHAT SCENE WANTED OPTIONS...
tryVariant() {
    variant=$1
    scene=$2
    wanted=$3
    shift 3
    for seed in $(seq "$seeds"); do
        runCrowd "$scene, $variant" "$seed" "$scene" "$@"
        judgeCrowd "$scene, $variant, seed $seed" "$(boundOf "$scene")" "$wanted"
    done
}

# tryAll WHAT OPTIONS...: everywhere
tryAll() {
    variant=$1
    shift
    tryVariant "$variant" corridor 200 "$@"
    tryVariant "$variant" doorway 100 "$@"
    tryVariant "$variant" cross-200 200 "$@"
    tryVariant "$variant" narrow-10 10 "$@"
}

tryAll mixed --set 'profiles.walker.radius={"uniform": [0.15, 0.35]}' \
    --set 'profiles.walker.speed={"uniform": [0.8, 1.8]}'
tryAll acceleration --set profiles.walker.maxAcceleration=2
tryAll 'mixed, acceleration' --set 'profiles.walker.radius={"uniform": [0.15, 0.35]}' \
    --set 'profiles.walker.speed={"uniform": [0.8, 1.8]}' \
    --set profiles.walker.maxAcceleration=2
tryAll left --set profiles.walker.keep=left
tryAll flow --plan flow
tryVariant rvo doorway 100 --avoid rvo
tryVariant rvo cross-200 200 --avoid rvo

# Those who go east keep to the right and those who go west to the left: the same side.
left='{"radius": 0.25, "speed": 1.4, "maxSpeed": 2, "arrivalDistance": 0.5, "keep": "left",
    "plan": "visibility", "sees": {"radius": 3.75}}'
tryVariant 'one side' corridor 200 --set "profiles.left=$left" --set agents[0].profile=walker \
    --set agents[1].profile=left

# gridOf PROFILE X Y GOAL: two rows of four
gridOf() {
    echo "{\"profile\": \"$1\", \"goal\": \"$4\", \"arrive\": \"leave\", \"grid\": {\"from\": [$2, $3],
        \"columns\": 25, \"rows\": 2, \"spacing\": [0.76, 1.23], \"jitter\": 0.05}}"
}
tryVariant 'right and left' corridor 200 --set "profiles.left=$left" --set "agents=[
    $(gridOf walker -19.62 -0.92 east), $(gridOf left -19.62 -0.305 east),
    $(gridOf walker 1.38 -0.92 west), $(gridOf left 1.38 -0.305 west)]"

# A trolley that drives to and fro where the streams cross.
tryVariant trolley cross-200 200 --set 'movers=[{"polygon": [[-0.6, -0.4], [0.6, -0.4], [0.6, 0.4],
    [-0.6, 0.4]], "path": [[-7, 0], [7, 0]], "speed": 0.7, "loop": true, "yields": true}]'

printTable
finish
