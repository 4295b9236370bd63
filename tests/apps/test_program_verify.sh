#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# The command `verify`: its scenes are sound, its figures are those that `run` finds in them, and
# pages and tables tell of all of them. Usage: test_program_verify.sh PROGRAM

. "$(dirname "$0")/gear.sh"
cd "$folder" || exit 1

# What cannot be.
expect 2 'a WHAT is missing' verify
expect 2 "'dogs' cannot be verified, expected people or models" verify dogs
expect 2 "--only: no row 'dor', did you mean 'door'?" verify people --only dor
expect 2 "no avoid method 'orka'" verify people --avoid orka --only iso-7
expect 2 "--seeds is '0'" verify people --seeds 0
expect 2 'which need --out' verify people --only iso-7 --data .
expect 3 'nowhere/reference_tables' verify people --only door --out o --data nowhere
[ ! -e o ] || fail 'a folder is made although the data are not there'
echo file >file
expect 3 'cannot make' verify people --only iso-7 --out file/o
expect 3 'cannot make' verify people --only iso-7 --out file
[ "$(cat file)" = file ] || fail 'a file is not taken for a folder'

# Two rows: figures are those of runs of the scenes that it wrote.
"$throng" verify people --only iso-7 --only bottleneck --avoid orca --avoid clearpath --seeds 2 --out o \
    --quiet >printed 2>out || fail 'two rows'
[ ! -s out ] || fail 'it is not quiet'
for file in people.md people.html people.csv runs.csv; do
    [ -s o/$file ] || fail "no $file"
done
# value SCENE METHOD SEED FIGURE
value() {
    sed -n "s/^[^,]*,$1,$2,people,$3,$4,//p" o/runs.csv
}
# same WHAT A B: numbers that are equal to 6 digits
same() {
    awk -v a="$2" -v b="$3" 'BEGIN { exit !(a != "" && (a - b) ^ 2 <= (1e-5 * b) ^ 2) }' ||
        fail "$1: $2 is not $3"
}
for method in orca clearpath; do
    for seed in 1 2; do
        "$throng" run o/scenes/iso-7-with.json --avoid $method --seed $seed --quiet --summary summary
        same "time, $method, seed $seed" "$(value iso-7-with $method $seed 'time \[s\]')" \
            "$(figure time_last_arrival)"
    done
done
"$throng" run o/scenes/bottleneck-run.json --avoid clearpath --seed 2 --quiet --summary summary
same 'flow' "$(value bottleneck-run clearpath 2 'flow \[1\/s\]')" "$(figure flow)"
: >out
# Means, bounds and verdicts.
mean=$(awk -F, '$1 == "iso-7" && $3 == "orca" && $4 == "people" && $2 == "iso-7-with" && $6 == "time [s]" { s += $7; ++n } END { print s / n }' \
    o/runs.csv)
same 'mean over seeds' "$(sed -n 's/^iso-7,orca,people,"time, one at 0.8 m\/s",s,,,,\([0-9.]*\),$/\1/p' o/people.csv)" "$mean"
awk -F, 'NR > 1 && $NF != "" { low = $(NF - 3); high = $(NF - 2); v = $(NF - 1)
    holds = (low == "" || v + 0 >= low + 0) && (high == "" || v + 0 <= high + 0) ? "yes" : "no"
    if (holds != $NF) { print; bad = 1 } else ++n } END { exit bad || n < 6 }' o/people.csv >out ||
    fail 'lines hold within their bounds, and only there'
: >out
missed=$(grep -c 'no$' o/people.csv)
[ "$(grep -o '✗' o/people.md | wc -l)" -ge "$missed" ] || fail 'people.md marks what is missed'
[ "$(grep -o 'class="missed"' o/people.html | wc -l)" = "$(grep -o '✗' o/people.md | wc -l)" ] ||
    fail 'both pages mark the same'
grep -q '^iso-7: ' printed && grep -q '^bottleneck: ' printed && grep -q '^verdicts: ' printed ||
    fail 'rows and verdicts are printed'

# Groups: when the first and the last one leave, and how close they keep, as `measure` finds it.
"$throng" verify people --only iso-14 --avoid orca --seeds 1 --out g --quiet >printed || fail 'iso-14'
sed -n 's/^[^,]*,iso-14-\([a-z-]*\),orca,people,1,\([^,]*\),/\1,\2,/p' g/runs.csv >values
for case in five family; do
    "$throng" measure g/scenes/iso-14-$case.json --avoid orca --seed 1 --quiet --csv g/$case
    same "first to last, $case" "$(sed -n "s/^$case,first to last of the group \[s\],//p" values)" "$(awk -F, -v n="$case" '
        NR > 1 && $1 <= (n == "five" ? 5 : 4) { low = low == "" || $3 < low ? $3 : low; high = $3 > high ? $3 : high }
        END { print high - low }' g/$case-people.csv)"
    same "longest, $case" "$(sed -n "s/^$case,longest of all groups \[s\],//p" values)" \
        "$(sed -n 's/^group_departure,\([^,]*,\)\{11\}//p' g/$case-figures.csv | sed 's/.*,//')"
    same "from the centre, $case" "$(sed -n "s/^$case,distance from the centre \[m\],//p" values)" \
        "$(sed -n 's/^group_dispersion,m,,\([^,]*\),.*/\1/p' g/$case-figures.csv)"
    awk -F, -v n=$case '$2 == "first to last of the group [s]" && $1 == n { with = $3 }
        $2 == "first to last of the group [s]" && $1 == n "-none" { without = $3 }
        END { exit !(with > 0 && with <= 10 && without > 10) }' values || fail "$case: it does not keep together"
done

# The same with one thread and with three.
for threads in 1 3; do
    "$throng" verify people --quick --only iso-7 --only jam --avoid orca --threads $threads --out t$threads \
        --quiet >printed$threads || fail "threads $threads"
done
cmp -s t1/runs.csv t3/runs.csv && cmp -s printed1 printed3 || fail 'results depend on threads'

# All scenes are sound; a run that is asked to end does so, and they are there by then.
endAfter 1.5 verify people --seeds 1 --out all --quiet
count=0
for scene in all/scenes/*.json; do
    "$throng" check "$scene" >out 2>&1 || fail "$scene"
    count=$((count + 1))
done
[ $count -ge 50 ] || fail "only $count scenes"
: >out
# Corridors are as dense as they say: 160 m by 3 m.
for density in 0.5 2 2.5 4 5; do
    "$throng" run all/scenes/corridor-$density.json --steps 0 --quiet --summary summary
    awk -v n="$(figure agents)" -v d=$density 'BEGIN { exit !(n > 0.99 * d * 480 && n < 1.01 * d * 480) }' ||
        fail "corridor at $density: $(figure agents) people"
done

# A chart is inside the page, with points of files.
if "$throng" help | grep -q '^  render'; then
    mkdir -p data/reference_tables/bottleneck_flow
    for name in 1981Mueller 2006EG 2006Nagai 2009Seyfried; do
        printf '# width flow\n0.8\t1.6\n1.2\t2.4\n' >data/reference_tables/bottleneck_flow/$name.txt
    done
    "$throng" verify people --quick --only door --avoid orca --out d --data data --quiet >printed || fail 'door'
    isPicture d/charts/door.svg || fail 'door.svg is a picture'
    grep -q 'src="data:image/svg+xml;base64,PD94bWwg' d/people.html || fail 'the chart is in the page'
    sed -n 's/.*base64,\([^"]*\)".*/\1/p' d/people.html | base64 -d | cmp -s - d/charts/door.svg ||
        fail 'it is the same chart'
fi
finish
