#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Tests the command line of throng_bench_detour and the shape of its output. Times are not looked at.
# Usage: test_bench_detour.sh PATH-OF-THRONG_BENCH_DETOUR

. "$(dirname "$0")/../test_gear.sh"
unset THRONG_SCENES

# hasLine PATTERN: the output has a line that is that extended regular expression.
hasLine() {
    grep -Eqx -- "$1" "$folder/out" || fail "no line like '$1'"
}

# hasRow ENGINE AGENTS OVERLAPS: the table has that row; the last two are patterns. Everybody moves.
hasRow() {
    hasLine "$1 +$2 +1 +[0-9]+\.[0-9] +[0-9]+\.[0-9]{3} +$3 +[0-9]+\.[0-9]{2}"
    hasLine "$1 .* (0\.[1-9][0-9]|[1-9]\.[0-9]{2})"
}
number='[0-9]+\.[0-9]'

expect 0 'circle-50, steps of 0.1 s' circle-50 --steps 3
hasLine 'throng: [a-z]+, instruction set [a-z0-9]+'
hasLine 'DetourCrowd: quality 3 \(.*\), the nearest 6 within 8 radii'
hasLine 'medians of processor time, steps 11 to 13'
hasLine 'engine +agents +threads +ns/agent-step +ms/step +overlaps/step +m/s'
hasRow throng 50 '0\.0'
hasRow DetourCrowd 50 "$number"
hasLine 'DetourCrowd takes [0-9]+\.[0-9]{2} times as long for an agent and step'
! grep -q '^obstacles' "$folder/out" || fail 'a scene without obstacles has none'

# Pairs are counted from 1 % of their radii on: of these three only the first two, for ever in throng
# where nothing pushes them apart. Obstacles are mentioned.
cat >"$folder/stacks.json" <<'END'
{
  "throng": 1,
  "time": {"step": 0.1},
  "contacts": false,
  "walls": [{"polyline": [[0, 9], [9, 9]]}],
  "profiles": {"post": {"radius": 0.25, "speed": 0, "avoid": "none"}},
  "agents": [{"profile": "post", "at": [[-9, 0], [-8.7, 0], [0, 0], [0.494, 0], [9, 0], [9.496, 0]]}]
}
END
expect 0 'obstacles (1 here) are there for throng only' "$folder/stacks.json" --steps 3 --warm-up 0
hasLine "throng +6 +1 +$number .* 2\.0 +0\.00"
hasLine "DetourCrowd +6 +1 +$number .* $number +[0-9.]+"

# Agents leave both when they arrive, and then there is nothing more to measure.
cat >"$folder/short.json" <<'END'
{
  "throng": 1,
  "time": {"step": 0.1},
  "agents": [{"at": [[0, 0]], "goal": {"point": [1, 0]}, "arrive": "leave"}]
}
END
expect 0 'throng ' "$folder/short.json" --warm-up 0 --steps 1000
hasLine 'medians of processor time, steps 1 to [0-9]{1,2}'
expect 2 'all have left before anything was measured' "$folder/short.json" --warm-up 1000

expect 0 'usage: throng_bench_detour' --help
expect 2 "'--nonsense' is not an option" --nonsense
expect 2 "'--steps' needs a value" --steps
expect 2 "--steps is '0', expected a whole number from 1 to 10000" --steps 0
expect 2 "--warm-up is '3x', expected" --warm-up 3x
expect 2 "'random-1k' is unexpected" circle-50 random-1k
expect 2 "there is no scene 'circle-5o'; did you mean 'circle-50'?" circle-5o
expect 2 'expected 1 to 16383' random-100k
expect 2 'has sources' station-hall
expect 3 'cannot read' "$folder/none.json"

[ "$failures" -eq 0 ] && echo 'all passed'
exit "$((failures > 0))"
