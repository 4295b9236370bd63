#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# What an agent thinks, drawn. Usage: test_program_debug.sh PROGRAM

. "$(dirname "$0")/gear.sh"
needRender
picture=$folder/p.png

# By key and by place, of agents that walk, wait for room and have arrived.
expect 0 'agent 7 of circle-50 at t = 5.0 s' render circle-50 --at 5 --debug 7 --output "$picture"
isPicture "$picture" || fail 'it is a picture'
expect 0 'agent 7 of circle-50 at t = 0.0 s' render circle-50 --at 0 --debug 7 \
    --output "$folder/p.svg"
isPicture "$folder/p.svg" || fail 'it is a drawing'
expect 0 'agent 1 of circle-10' render circle-10 --debug 1 --output "$folder/p.pdf" --width 400
expect 0 'agent 1 of circle-2 at t = 0.0 s' render circle-2 --at 0 --debug 1000,0 --output "$picture"
expect 0 '' render circle-2 --at 0 --debug -1e9,3.5 --output "$picture" --quiet

# The same picture each time.
"$throng" render doorway --at 8 --debug 3 --output "$folder/a.png" --quiet
"$throng" render doorway --at 8 --debug 3 --output "$folder/b.png" --quiet
cmp "$folder/a.png" "$folder/b.png" || fail 'pictures of one moment differ'

# What is wrong is said, and leaves the picture that is there.
echo before >"$picture"
expect 2 'there is no agent with the key 51 at that time; agents of the scene have the keys 1, 2, 3' \
    render circle-50 --at 1 --debug 51 --output "$picture"
for wrong in x 1,2,3 1, ,1 nan,1 1,inf 99999999999999999999999 -3; do
    expect 2 "--debug is '$wrong', expected the key of an agent, or a place as X,Y" \
        render circle-50 --at 1 --debug "$wrong" --output "$picture"
done
expect 2 '--debug shows an agent at one time' render circle-50 --debug 1 --as paths \
    --output "$picture"
expect 2 '--debug shows an agent at one time' render circle-50 --debug 1 --output "$folder/p.mp4"
grep -qx before "$picture" || fail 'the picture was replaced'
expect 3 'cannot write' render circle-2 --at 0 --debug 1 --output "$folder/none/p.png"

# A recording does not know what agents think.
"$throng" run circle-2 --record "$folder/r.thlog" >"$folder/out" 2>&1
expect 2 'is a recording, which does not tell' render "$folder/r.thlog" --debug 1 \
    --output "$picture"

finish
