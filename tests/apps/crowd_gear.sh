# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# What tests of crowds share; to be sourced; it brings gear.sh. Scenes are run with several seeds; a line
# for each run, and a row of a table for each scene.

. "$(dirname "$0")/gear.sh"

# holds CONDITION: of numbers
holds() {
    awk "BEGIN { exit !($1) }"
}

# boundOf SCENE: until when everybody has arrived [s]
boundOf() {
    case $1 in
    corridor) echo 140 ;;
    doorway) echo 125 ;;
    cross-200) echo 105 ;;
    cross-800) echo 400 ;;
    narrow-2) echo 45 ;;
    narrow-10) echo 80 ;;
    one-goal) echo 25 ;;
    standing-group) echo 40 ;;
    circle-250) echo 90 ;;
    circle-1k) echo 340 ;;
    circle-1k-large) echo 550 ;;
    streams-4) echo 280 ;;
    evacuation) echo 240 ;;
    evacuation-500) echo 130 ;;
    evacuation-1000) echo 130 ;;
    corner) echo 100 ;;
    u-trap) echo 40 ;;
    queues-crossing) echo 200 ;;
    inflow) echo 3600 ;;
    station) echo 330 ;;
    stadium-few) echo 65 ;;
    stadium-25k) echo 230 ;;
    evacuation-10000) echo 600 ;;
    *) fail "no bound for $1" ;;
    esac
}

# wantedOf SCENE: how many people arrive
wantedOf() {
    agents=$(everybody)
    case $1 in
    standing-group) echo 1 ;;                    # the others stand
    inflow) echo "$((agents - agents / 50))" ;; # the last are still under way
    *) echo "$agents" ;;
    esac
}

# judgeBodies WHAT: nobody was deeper in anybody than 0.9 %, up to rounding, no wall was crossed.
judgeBodies() {
    holds "$(figure max_depth) <= 0.00901" || fail "$1: a pair is $(figure max_depth) deep"
    [ "$(figure wall_crossings)" = 0 ] || fail "$1: walls"
}

# judgeCrowd WHAT BOUND WANTED: besides, at least so many people have arrived by then [s].
judgeCrowd() {
    judgeBodies "$1"
    [ "$(figure arrived)" -ge "$3" ] || fail "$1: $(figure arrived) of $3 arrived"
    holds "$(figure time_last_arrival) + 0 <= $2" ||
        fail "$1: the last arrived at $(figure time_last_arrival) s, not by $2 s"
    echo "$1: $(figure arrived) at $(figure time_last_arrival) s," \
        "stuck $(figure stuck_max), $(figure reversals) reversals"
}

# runCrowd WHAT SEED SCENE OPTIONS...: leaves a summary.
runCrowd() {
    what=$1
    seed=$2
    shift 2
    rm -f "$folder/summary"
    expect 0 '' run "$@" --seed "$seed" --quiet --check-walls --summary "$folder/summary"
    echo "$what;$(figure time_last_arrival);$(figure reversals);$(figure max_depth)" \
        >>"$folder/rows"
}

# What runs have in common, for docs/jams.md.
printTable() {
    echo 'what: last arrival [s], reversals for each agent, deepest pair [%]'
    awk -F ';' '
        !($1 in count) { names[++all] = $1; low[$1] = $2 }
        {
            count[$1] += 1
            reversals[$1] += $3
            if ($2 + 0 < low[$1] + 0) low[$1] = $2
            if ($2 + 0 > high[$1] + 0) high[$1] = $2
            if ($4 + 0 > deep[$1] + 0) deep[$1] = $4
        }
        END {
            for (i = 1; i <= all; ++i) {
                name = names[i]
                printf "%s: %.0f to %.0f, %.1f, %.2f\n", name, low[name], high[name],
                    reversals[name] / count[name], 100 * deep[name]
            }
        }' "$folder/rows"
}
