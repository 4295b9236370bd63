#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Crowds show the patterns that models are known for, where docs/models.md says that they do; and
# those who pass through each other show none. Usage: test_crowd_models.sh PROGRAM SEEDS

. "$(dirname "$0")/gear.sh"
seeds=$2
cd "$folder" || exit 1

"$throng" verify models --avoid orca --avoid clearpath --avoid rvo --seeds "$seeds" --only lanes \
    --only oscillation --only stripes --out o --quiet >printed 2>out || fail 'rows cannot be run'
"$throng" verify models --avoid none --seeds "$seeds" --only lanes --only stripes \
    --set contacts=false --out n --quiet >printed 2>out || fail 'none cannot be run'

# holds ROW METHOD PACE: all its lines that have bounds. The columns are row, method, pace, line,
# unit, known, least, most, found and whether that holds.
holds() {
    grep "^$1,$2,$3,.*,\(yes\|no\)\$" o/models.csv >out
    if [ ! -s out ] || grep -q ',no$' out; then
        fail "$1, $2, pace $3: it does not hold any more"
    fi
}
for pace in people none; do
    holds lanes orca $pace
    holds lanes clearpath $pace
    holds oscillation rvo $pace
    holds stripes rvo $pace
done
holds oscillation orca people
holds oscillation clearpath people
# Who presses is slower, where bodies push and rub.
"$throng" verify models --avoid '{"social-force": {"set": "helbing-2000", "keep": "none"}}' \
    --seeds "$seeds" --only faster --set contacts=false --out f --quiet >printed 2>out ||
    fail 'the set of 2000 cannot be run'
grep ',none,"time at the greatest speed.*,yes$' f/models.csv >out ||
    fail 'faster is not slower any more with the set of 2000'
grep '"order of stripes\|"share of the way' n/models.csv >out
if [ "$(grep -c ',no$' out)" -ne 8 ]; then
    fail 'people who pass through each other show patterns'
fi
: >out
finish
