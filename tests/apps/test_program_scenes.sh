#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# The scenes that come with the program: all are sound, and those without known deadlocks come to
# their end, without collisions and with all walls whole. Usage: test_program_scenes.sh PROGRAM

. "$(dirname "$0")/gear.sh"

"$throng" list --names >"$folder/names"
[ "$(wc -l <"$folder/names")" -ge 26 ] || fail 'scenes are missing'
while read -r name; do
    expect 0 "$name.json is sound" check "$name"
done <"$folder/names"
expect 0 'agents' list
! grep -q 'cannot be read' "$folder/out" || fail 'a scene cannot be read'
! sed 1d "$folder/out" | grep -Ev '^[a-z0-9-]+ +[0-9]+\+?  [A-Z0-9].*\.$' || fail 'a line is odd'

for name in circle-2 circle-3 circle-10 circle-50 circle-250 crossing bottleneck bottleneck-300 \
    exit-gate evacuation station-hall two-exits; do
    expect 0 '' run "$name" --quiet --check-walls --summary "$folder/summary"
    [ "$(figure arrived)" -eq "$(everybody)" ] ||
        fail "$name: $(figure arrived) of $(everybody) arrived"
    [ "$(figure pairs_per_step)" = 0 ] || fail "$name: collisions"
    [ "$(figure wall_crossings)" = 0 ] || fail "$name: walls"
done

# These go on for ever: nobody may get stuck.
for name in blocks back-forth-80; do
    expect 0 '' run "$name" --quiet --check-walls --summary "$folder/summary"
    [ "$(figure stuck_max)" = 0 ] || fail "$name: stuck"
    [ "$(figure wall_crossings)" = 0 ] || fail "$name: walls"
done

finish
