#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# The command `path`: what it prints, its exit codes, and scenes that are maps or walls of others.
# Usage: test_program_path.sh PROGRAM

. "$(dirname "$0")/gear.sh"
cd "$folder" || exit 1
data=$here/../../../shared/data

# A wall from the south with a gap in the north, far from zero; a closed room.
cat >hall.json <<'END'
{
  "throng": 1,
  "origin": [500000, 5700000],
  "walls": [
    {"room": [[500000, 5700000], [500020, 5700000], [500020, 5700010], [500000, 5700010]]},
    {"box": [[500009, 5700000], [500011, 5700006]]},
    {"polyline": [[500015, 5700001], [500017, 5700001], [500017, 5700003], [500015, 5700003], [500015, 5700001]]}
  ],
  "profiles": {"walker": {"radius": 0.3, "plan": "direct"}, "planner": {"radius": 0.2, "plan": "visibility"}},
  "agents": [{"profile": "walker", "at": [500001, 5700001]}]
}
END

# Whoever does not ask for a planner gets that of the first profile.
cat >expected <<'END'
answer   complete
planner  direct, radius 0.3 m
length   16.000000 m
corners  500002.0000 5700002.0000
         500018.0000 5700002.0000
END
"$throng" path hall.json --from 500002,5700002 --to 500018,5700002 >out || fail 'no way'
diff expected out || fail 'a way is not what it should be'

# The planner's own profile, and bodies of another size.
expect 0 'planner  visibility, radius 0.2 m' path hall.json --plan visibility \
    --from 500002,5700002 --to 500018,5700005
expect 0 'planner  visibility, radius 0.4 m' path hall.json --plan visibility --radius 0.4 \
    --from 500002,5700002 --to 500018,5700005
# Round the corners (9, 6) and (11, 6) of a point's way.
"$throng" path hall.json --plan visibility --radius 0 --from 500002,5700002 --to 500018,5700005 >out ||
    fail 'a point finds no way'
length=$(awk 'BEGIN { printf "%.6f", sqrt(49 + 16) + 2 + sqrt(49 + 1) }')
grep -q "^length   $length" out || fail "the way is not $length long"

# No way: into the closed room; from inside of a wall; with bodies that do not fit.
expect 1 'answer   none' path hall.json --plan visibility --from 500002,5700002 --to 500016,5700002
expect 1 'because  ' path hall.json --plan visibility --from 500002,5700002 --to 500016,5700002
expect 1 'because  it begins in a wall, or nearer to one than the radius' path hall.json \
    --from 500010,5700002 --to 500002,5700002
expect 1 'because  it begins in a wall' path hall.json --radius 3 \
    --from 500002,5700002 --to 500018,5700002

# What is no way has no length, and complete ways no reason.
"$throng" path hall.json --plan visibility --from 500002,5700002 --to 500016,5700002 >out
! grep -q '^length\|^corners' out || fail 'there is a length without a way'
expect 1 '"length": null, "corners": []' path hall.json --plan visibility --json \
    --from 500002,5700002 --to 500016,5700002
expect 0 '"answer": "complete", "why": null' path hall.json --json \
    --from 500002,5700002 --to 500018,5700002

# Floors that nothing is on.
expect 2 '--level is 2, expected a floor that something is on: 0' path hall.json --level 2 \
    --from 500002,5700002 --to 500018,5700002

# Ways on a roadmap that begin beside an agent are told to the goal.
cat >behind.json <<'END'
{
  "throng": 1,
  "walls": [{"room": [[0, 0], [20, 0], [20, 10], [0, 10]]}, {"box": [[8, 3], [12, 7]]}],
  "roadmaps": {"a": {"nodes": [[18, 8], [18, 2]]}},
  "goals": {"g": {"point": [11, 2.7]}, "edge": {"segment": [[20, 2], [20, 8]]}},
  "profiles": {"p": {"plan": "roadmap"}},
  "agents": [{"at": [7.5, 3.1], "goal": "g"}]
}
END
cat >expected <<'END'
answer   complete
planner  roadmap, radius 0.25 m
length   4.001428 m
corners  7.5000 3.1000
         7.5000 2.6000
         11.0000 2.7000
END
"$throng" path behind.json --from 7.5,3.1 --to 11,2.7 >out || fail 'no way from beside'
diff expected out || fail 'a way from beside is not what it should be'
expect 1 'because  the roadmap does not lead from here to the goal' path behind.json \
    --from 3,5 --to 17,5 --set 'roadmaps={"a": {"nodes": [[1, 5]]}}'

# Many at once.
printf '# two ways\n500002 5700002 500018 5700002\n\n500010 5700002 500018 5700002\r\n' >some.txt
expect 1 '2 queries, planner direct, radius 0.3 m: 1 complete 1 none' path hall.json --queries some.txt
grep -q '^ *2  none  *-  it begins in a wall' out || fail 'it is not said which query is in a wall'
expect 1 '"answer": "none", "why": "it begins in a wall' path hall.json --queries some.txt --json
expect 1 '"corners": [[500002, 5700002], [500018, 5700002]]' path hall.json --queries some.txt --json
i=0
while [ $i -lt 200 ]; do
    echo "500002 570000$((i % 9 + 1)) 500019 570000$((i % 7 + 2))"
    i=$((i + 1))
done >many.txt
expect 0 '200 queries, planner visibility, radius 0.2 m: 200 complete' path hall.json \
    --queries many.txt --plan visibility

# Wrong command lines, queries and scenes.
expect 2 'expected --from and --to, or --queries' path hall.json
expect 2 'expected --from and --to, or --queries' path hall.json --from 1,2
expect 2 'expected --from and --to, or --queries' path hall.json --from 1,2 --to 2,3 --queries some.txt
expect 2 "--from is '1;2', expected X,Y such as 2.5,-3" path hall.json --from '1;2' --to 2,3
expect 2 "--to is '2,3x', expected X,Y" path hall.json --from 1,2 --to 2,3x
expect 2 "--to is '2,', expected X,Y" path hall.json --from 1,2 --to 2,
expect 2 'query 1 begins at (1, 2), more than 30000 m from the origin' path hall.json --from 1,2 --to 2,3
expect 2 "no plan method 'vision'" path hall.json --plan vision --from 500002,5700002 --to 500018,5700002
expect 2 "planner 'given' does not tell paths" path hall.json --plan given \
    --from 500002,5700002 --to 500018,5700002
expect 3 "cannot read 'nothing.txt'" path hall.json --queries nothing.txt
echo '1 2 3' >wrong.txt
expect 2 "wrong.txt:1: expected four numbers: x1 y1 x2 y2, found '1 2 3'" path hall.json --queries wrong.txt
printf 'version 1\n0 a.map 1 1 0 0 0 0\n' >wrong.scen
expect 2 'wrong.scen:2: expected a scenario' path hall.json --queries wrong.scen
: >empty.txt
expect 2 'empty.txt: there are no queries' path hall.json --queries empty.txt
expect 2 'has 1 error' path hall.json --set time.step=0 --from 1,2 --to 2,3

# A map is a scene wherever one is taken. Two blocked cells that meet in a corner are shut.
printf 'type octile\nheight 4\nwidth 5\nmap\n.....\n.@@..\n.@..T\n..@..\n' >small.map
printf 'version 1\n0\tsmall.map\t5\t4\t0\t0\t3\t0\t3\n1\tsmall.map\t5\t4\t2\t2\t1\t3\t7.65685\n' >small.scen
expect 0 'small.map is sound: 0 agents' check small.map
expect 0 'agents      0' run small.map --steps 1
expect 0 'agents      1' run small.map --steps 1 --set 'agents=[{"at": [0.5, 0.5]}]'
expect 2 'stands in a wall' check small.map --set 'agents=[{"at": [1.5, 1.5]}]'
expect 0 '2 queries, planner visibility, radius 0 m: 2 complete' path small.map \
    --queries small.scen --radius 0 --plan visibility
grep -q '^ *1  complete      3.000000      3.000000  1.00000000$' out || fail 'the optimum is not beside ours'
printf 'type octile\nheight 2\nwidth 2\nmap\n..\n.x\n' >wrong.map
expect 2 "wrong.map:6:2: expected one of .GS (free) or @OTW (blocked), found 'x'" check wrong.map
expect 3 "cannot read 'nothing.map'" check nothing.map

# Buildings of others, one of them in UTM coordinates: from one place inside to another.
building() { # FILE ORIGIN FROM TO
    echo "{\"throng\": 1, \"origin\": [$2], \"walls\": [{\"file\": \"$data/jupedsim_wkt/$1\"}]}" >building.json
    expect 0 'answer   complete' path building.json --plan visibility --radius 0.2 --from "$3" --to "$4"
}
if [ -d "$data/jupedsim_wkt" ]; then
    building corner_with_shortcut.wkt 0,0 1,2.5 27.5,29
    building bottleneck.wkt 0,0 -10,-4 10,4
    building BUW.wkt 0,0 10,10 56,39
    building Geometrie_verwinkelt_v1.wkt 395200,5268200 395014,5268335 395325,5268090
else
    echo "$data/jupedsim_wkt is not there: its buildings are skipped"
fi

finish
