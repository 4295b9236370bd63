#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Tests the command line of throng_bench: exit codes, messages, and the round trip through CSV.
# Times are not looked at. Usage: test_bench.sh PATH-OF-THRONG_BENCH

. "$(dirname "$0")/test_gear.sh"

expect 0 'usage: throng_bench' --help
expect 0 'hash/word' --list
expect 2 "'--nonsense' is not an option" --nonsense
expect 2 "'-xy' is not an option" -xy
expect 2 "'--quick=3' is not an option" --quick=3
expect 2 "'extra' is unexpected" --quick extra
expect 2 "'--csv' needs a value" --csv
expect 2 "--repeats is '0', expected a number from 1 to 1000" --repeats 0
expect 2 "--repeats is '7x', expected" --repeats 7x
expect 2 "--repeats is '1001', expected" --repeats 1001
expect 2 "no case matches 'none/*'" --filter 'none/*'

# A filter brings the baseline along, and nothing else.
expect 0 'random/sequence' --list --filter 'random/bits'
[ "$(wc -l <"$folder/out")" -eq 3 ] || fail 'a filter for one case lists it and its baseline only'

expect 0 'quick run: no verdict' --quick --filter 'hash/*' --csv "$folder/old.csv"
grep -qx 'name,baseline,items,ns_min,ns_median,spread,ratio,verdict' "$folder/old.csv" ||
    fail 'the CSV has its heading'
head -n 1 "$folder/old.csv" | grep -q '^# machine: .*; simd: .*; compiler: ' ||
    fail 'the CSV names machine, instruction set and compiler'
sed -n 2p "$folder/old.csv" | grep -q '^# load: ' || fail 'the CSV tells the load'
grep -Eq '^hash/word,,1024,[0-9.]+,[0-9.]+,[0-9.]+,,-$' "$folder/old.csv" ||
    fail 'the CSV has the row of hash/word'

expect 0 "compared with $folder/old.csv" --quick --filter 'hash/*' --compare "$folder/old.csv"
grep -Eq '^hash/word .*[+-][0-9.]+%' "$folder/out" || fail 'the change is printed in percent'
grep -qF 'Trust the ratio columns' "$folder/out" || fail 'the comparison says what to trust'
expect 0 "not in $folder/old.csv" --quick --filter 'random/bits' --compare "$folder/old.csv"

# Marks: an earlier run that was absurdly fast or slow, and one within an absurd spread.
heading='name,baseline,items,ns_min,ns_median,spread,ratio,verdict'
compareWith() {
    printf '%s\n%s\n' "$heading" "$2" >"$folder/made.csv"
    expect 0 'machine unknown' --quick --filter 'hash/*' --compare "$folder/made.csv"
    grep -Eq "^hash/word .*%  $1 " "$folder/out" || fail "'$2' is marked '$1'"
}
compareWith slower 'hash/word,,1024,1e-6,1e-6,1,,-'
compareWith faster 'hash/word,,1024,1e9,1e9,1,,-'
compareWith - 'hash/word,,1024,1e-6,1e-6,1e30,,-'

# One name for both: the old run is read before the new one replaces it.
expect 0 'compared with' --quick --filter 'hash/*' --csv "$folder/old.csv" \
    --compare "$folder/old.csv"

expect 3 "cannot open '$folder/none.csv' for reading" --quick --compare "$folder/none.csv"
expect 3 "cannot open '$folder/none/new.csv' for writing" --quick --filter 'hash/*' \
    --csv "$folder/none/new.csv"
[ ! -e /dev/full ] || expect 3 "cannot write all of '/dev/full'" --quick --filter 'hash/*' \
    --csv /dev/full
: >"$folder/made.csv"
expect 3 "made.csv: expected a file that --csv wrote" --quick --compare "$folder/made.csv"
echo 'a,b,c' >"$folder/made.csv"
expect 3 "made.csv:1: expected $heading" --quick --compare "$folder/made.csv"
for row in 'hash/word,,1024,5' 'hash/word,,1024,0,5,1,,-' 'hash/word,,1024,5,5,nan,,-' \
    'hash/word,,1024,5,5,1,x,-' 'hash/word,,1024,5,5,1,,-,-'; do
    printf '# machine: a\n%s\n%s\n' "$heading" "$row" >"$folder/made.csv"
    expect 3 'made.csv:3: expected 8 columns' --quick --compare "$folder/made.csv"
done

[ "$failures" -eq 0 ] && echo 'all passed'
exit "$((failures > 0))"
