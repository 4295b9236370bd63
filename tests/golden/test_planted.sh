#!/bin/sh
# Plants errors and expects the finder to name their place.
#   test_planted.sh GOLDEN COMPARE CONTRACTED
# CONTRACTED is a golden program in which one kernel file was compiled with contraction to FMA.
set -eu
golden=$1 compare=$2 contracted=$3
failures=0

# What is tested is the finder, so one subject will do: flock, which has these stages and fields.
subject=flock

# expect TEXT CANDIDATE: the comparison must fail (exit code 1) and print TEXT.
expect() {
    code=0
    output=$("$compare" --reference "'$golden'" --candidate "$2" --subject $subject) || code=$?
    if [ "$code" != 1 ] || ! printf '%s\n' "$output" | grep -q "$1"; then
        printf 'wanted exit code 1 and "%s", got %s and:\n%s\n' "$1" "$code" "$output"
        failures=$((failures + 1))
    else
        printf '%s\n' "$output" | grep -m 1 "$1"
    fi
}

expect 'first: step 41, stage steer, agent 338, field vy' "'$golden' --plant 41:steer:338:vy"
expect 'first: step 0, stage sense, agent 100, field pushX' "'$golden' --plant 0:sense:100:pushX"
expect 'first: step 99, stage move, agent 7093, field y' "'$golden' --plant 99:move:7093:y"
if "$golden" widths | grep -qx avx2 && grep -qw fma /proc/cpuinfo; then
    expect 'first: step 0, stage sense, agent [0-9]*, field push' "'$contracted'"
else
    echo "no AVX2 with FMA here: contraction not tried"
fi
[ "$failures" = 0 ]
