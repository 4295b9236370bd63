#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# The command `verify models`: any method with any parameters, figures that are those of runs of its
# scenes, and results that do not depend on threads. Usage: test_program_models.sh PROGRAM

. "$(dirname "$0")/gear.sh"
cd "$folder" || exit 1

# What cannot be.
expect 2 "--only: no row 'lane', did you mean 'lanes'?" verify models --only lane
expect 2 "--only: no row 'corridor'" verify models --only corridor
expect 2 "no avoid method 'sped'" verify models --avoid sped --only lanes
expect 2 "did you mean 'timeGap'?" verify models --only lanes --avoid '{"speed": {"timeGab": 1}}'
expect 2 "no avoid method 'sped'" verify models --only lanes --avoid '{"sped": {}}'
# What is wrong is told once, however many runs there would be.
"$throng" verify models --set nosuch=3 >out 2>told && fail '--set takes what no scene has'
[ "$(wc -l <told)" -eq 1 ] && grep -q "^--set nosuch: unknown key 'nosuch'" told || fail '--set is told once'
expect 2 "--set profiles.persn.radius=1" verify models --only lanes --set profiles.persn.radius=1

# A method's parameters and changes of scenes: figures are those of runs.
json='{"speed": {"timeGap": 0.5}}'
"$throng" verify models --only door-1.2 --avoid speed --avoid "$json" --seeds 1 --set seed=3 --out o --quiet \
    >printed 2>out || fail 'two variants'
[ ! -s out ] || fail 'it is not quiet'
for file in models.md models.html models.csv runs.csv; do
    [ -s o/$file ] || fail "no $file"
done
grep -q 'speed timeGap=0.5 *speed, bare *speed timeGap=0.5, bare' printed || fail 'variants are named'
# flow FIELD: of the narrow people, by the field that runs.csv has for the method
flow() {
    sed -n "s/^door-1.2,door-1.2-0.3,$1,people,1,flow \[1\/(m s)\],//p" o/runs.csv
}
# same WHAT A B: numbers that are equal to 6 digits
same() {
    awk -v a="$2" -v b="$3" 'BEGIN { exit !(a != "" && (a - b) ^ 2 <= (1e-5 * b) ^ 2) }' ||
        fail "$1: $2 is not $3"
}
scene=o/scenes/door-1.2-0.3.json
"$throng" run $scene --avoid speed --seed 1 --quiet --summary summary
same 'flow' "$(flow speed)" "$(awk -v f="$(figure steady_flow)" 'BEGIN { print f / 1.2 }')"
"$throng" run $scene --set "profiles.person.avoid=$json" --seed 1 --quiet --summary summary
same 'flow with a shorter time gap' "$(flow '"{""speed"": {""timeGap"": 0.5}}"')" \
    "$(awk -v f="$(figure steady_flow)" 'BEGIN { print f / 1.2 }')"
: >out
grep -q '✗' o/models.md || fail 'models.md marks what is missed'
"$throng" verify models --only door-1.2 --avoid speed --seeds 1 --set profiles.person.radius=0.15 --quiet >narrow
awk '/flow of people/ { print $(NF - 1) }' narrow | sort -u | wc -l | grep -qx 1 || fail '--set is for all scenes'

# The same with one thread and with three.
for threads in 1 3; do
    "$throng" verify models --only lanes --only stripes --avoid speed --seeds 1 --threads $threads --out t$threads \
        --quiet >printed$threads || fail "threads $threads"
done
cmp -s t1/runs.csv t3/runs.csv && cmp -s printed1 printed3 || fail 'results depend on threads'
# value SUITE ROW CASE FIGURE
value() {
    sed -n "s/^$1,$1-$2,speed,people,1,$3,//p" t1/runs.csv
}
order=$(value lanes 2 'lane order') lot=$(value lanes 2 'lane order if dealt by lot')
awk -v a="$order" -v b="$lot" 'BEGIN { exit !(a > 0.5 && b < 0.35) }' || fail "lane order $order, by lot $lot"

# All scenes are sound.
endAfter 1.5 verify models --seeds 1 --out all --quiet
count=0
for scene in all/scenes/*.json; do
    "$throng" check "$scene" >out 2>&1 || fail "$scene"
    count=$((count + 1))
done
[ $count -ge 14 ] || fail "only $count scenes"
: >out
finish
