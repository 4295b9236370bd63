#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# What an agent plans with, drawn. Usage: test_program_plan.sh PROGRAM

. "$(dirname "$0")/gear.sh"
needRender
picture=$folder/p.png

cat >"$folder/rooms.json" <<'TEXT'
{
  "throng": 1,
  "time": {"step": 0.1, "end": {"at": 60}},
  "walls": [
    {"room": [[0, 0], [20, 0], [20, 12], [0, 12]]},
    {"polyline": [[10, 0], [10, 8]]},
    {"box": [[4, 4], [6, 6]]}
  ],
  "goals": {"out": {"segment": [[19, 1], [19, 3]]}},
  "roadmaps": {"cells": {"grid": {"side": 1}}},
  "profiles": {"walker": {"radius": 0.25, "plan": "direct"}},
  "agents": [{"count": 8, "profile": "walker", "goal": "out", "in": {"box": [[0.5, 0.5], [3.5, 11.5]]}}]
}
TEXT

# draw PLAN OUTPUT OPTIONS...: an agent of that scene.
draw() {
    plan=$1
    output=$2
    shift 2
    expect 0 "plan of agent 3 of rooms at t = 2.0 s" render "$folder/rooms.json" \
        --set "profiles.walker.plan=\"$plan\"" --at 2 --plan-of 3 --output "$output" "$@"
}

# Every planner, in every format; by colour the tree and the field are there.
for plan in direct visibility roadmap flow; do
    draw $plan "$picture"
    isPicture "$picture" || fail "$plan: it is a picture"
    draw $plan "$folder/$plan.svg" --width 800
    isPicture "$folder/$plan.svg" || fail "$plan: it is a drawing"
    draw $plan "$folder/p.pdf" --width 300
done
lines() { grep -c '<path' "$folder/$1.svg"; }
for plan in visibility roadmap flow; do
    [ "$(lines $plan)" -gt "$(($(lines direct) + 20))" ] || fail "$plan: few lines"
done

# The others are there too, lightly.
for plan in direct visibility roadmap flow; do
    others=$(grep 'fill[:=]"\{0,1\}rgb(80%, \{0,1\}79%, \{0,1\}77%)' "$folder/$plan.svg" | grep -c '0\.8')
    [ "$others" -eq 8 ] || fail "$plan: $others people, expected 8"
done

# Before the first step there is no plan, so one is taken; places find agents too.
expect 0 'at t = 0.1 s' render "$folder/rooms.json" --at 0 --plan-of 3 --output "$picture"
expect 0 '' render "$folder/rooms.json" --at 0 --plan-of 3.5,-2 --output "$picture" --quiet
expect 0 'plan of agent' render station-hall --at 5 --plan-of 1 --output "$picture"

# An agent is drawn on its own floor, which is said if another was asked for.
expect 0 'm on floor 1' render "$folder/rooms.json" --at 1 --plan-of 1 --output "$picture" \
    --set 'agents[0].level=1' --level 0
expect 0 'm on floor 1' render "$folder/rooms.json" --at 1 --debug 1 --output "$picture" \
    --set 'agents[0].level=1'

# The same picture each time.
draw flow "$folder/a.png"
draw flow "$folder/b.png"
cmp "$folder/a.png" "$folder/b.png" || fail 'pictures of one moment differ'

# What is wrong is said, and leaves the picture that is there.
echo before >"$picture"
expect 2 "there is no agent with the key 51 at that time; agents of the scene have the keys 1, 2, 3 ... \
in the order of the file, and '--plan-of X,Y' takes" \
    render "$folder/rooms.json" --at 1 --plan-of 51 --output "$picture"
for wrong in x 1,2,3 flow 1, nan,1; do
    expect 2 "--plan-of is '$wrong', expected the key of an agent, or a place as X,Y" \
        render circle-50 --at 1 --plan-of "$wrong" --output "$picture"
done
expect 2 '--plan-of shows an agent at one time' render circle-50 --plan-of 1 --as paths \
    --output "$picture"
expect 2 '--plan-of shows an agent at one time' render circle-50 --plan-of 1 --output "$folder/p.gif"
expect 2 'expected one of them' render circle-50 --plan-of 1 --debug 1 --output "$picture"
expect 2 "but 'circle-2' goes from 0 to" render circle-2 --at 1e6 --plan-of 1 --output "$picture"
expect 2 'has nothing to show' render "$folder/rooms.json" --set 'profiles.walker.plan="given"' \
    --at 1 --plan-of 1 --output "$picture"
"$throng" run circle-2 --record "$folder/r.thlog" >"$folder/out" 2>&1
expect 2 "--plan-of asks what agents of a scene plan with, but '$folder/r.thlog' is a recording, which does \
not tell" render "$folder/r.thlog" --plan-of 1 --output "$picture"
grep -qx before "$picture" || fail 'the picture was replaced'
expect 3 'cannot write' render circle-2 --at 0 --plan-of 1 --output "$folder/none/p.png"

finish
