#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Crowds with `clearpath` do not get stuck either: everybody arrives within the bounds of crowds
# with `orca`, nobody is deeper in anybody than 0.9 %, and no wall is crossed. Circles pass in a
# swirl, streams in lanes. Usage: test_clearpath_scenes.sh PROGRAM [SCENE...]

. "$(dirname "$0")/crowd_gear.sh"
shift
names=${*:-corridor doorway cross-200 narrow-10 one-goal standing-group corner u-trap \
    queues-crossing circle-250 streams-4 evacuation-500}

# partOf SCENE: from when to when people meet in the middle [s]; nothing where they do not
partOf() {
    case $1 in
    circle-250) echo 20 30 ;;
    circle-1k) echo 80 100 ;;
    streams-4) echo 30 90 ;;
    esac
}

# latestOf SCENE: as in crowds with `orca`, but four streams take at most twice the free time
latestOf() {
    case $1 in
    streams-4) echo 161.6 ;;
    *) boundOf "$1" ;;
    esac
}

# surveyMiddle SCENE FROM TO: how they pass each other there
surveyMiddle() {
    expect 0 '' measure "$folder/log.thlog" --from "$2" --to "$3" --quiet \
        --summary "$folder/summary"
    echo "$1: angular momentum $(figure angular_momentum), lane order $(figure lane_order)"
    case $1 in
    circle-*) holds "$(figure angular_momentum) > 0.3" || fail "$1: no swirl" ;;
    *) holds "$(figure lane_order) > 0.6" || fail "$1: no lanes" ;;
    esac
}

for name in $names; do
    part=$(partOf "$name")
    rm -f "$folder/log.thlog"
    # shellcheck disable=SC2086 # several words
    runCrowd "$name" 1 "$name" --avoid clearpath ${part:+--record $folder/log.thlog --fps 2}
    judgeCrowd "$name" "$(latestOf "$name")" "$(wantedOf "$name")"
    # shellcheck disable=SC2086 # two words
    [ -z "$part" ] || surveyMiddle "$name" $part
done

printTable
finish
