#!/bin/sh
# Writes tables of results into the pages below docs/: between `<!-- results of LIST -->` and
# `<!-- end -->` a row for each run of that list below, with figures that are the same on every
# machine.
# usage: tools/result_tables.sh ROOT PROGRAM [check]
# With check nothing is written; exit code 1 where the tables are not what they should be.
set -eu
root=$1
program=$2
mode=${3:-write}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# A number of a summary.
number() {
    sed -n "s/.*\"$1\": \([-0-9.e]*\).*/\1/p" "$work/summary" | head -n 1
}

# What agents of a scene come to with bodies that hold and without.
# usage: contacts LABEL SCENE
contacts() {
    for held in false true; do
        "$program" run "$root/scenes/$2.json" --avoid orca --plan direct --seed 1 \
            --set contacts=$held --summary - >"$work/summary" 2>/dev/null
        awk -v label="$([ $held = false ] && echo "$1")" -v held=$held \
            -v agents="$(number agents)" -v arrived="$(number arrived)" \
            -v last="$(number time_last_arrival)" -v pairs="$(number pairs_per_step)" \
            -v depth="$(number max_depth)" 'BEGIN {
                printf "| %s | %s | %d of %d | %.0f | %s | %s %% |\n", label,
                    held == "true" ? "on" : "off", arrived, agents, last,
                    sprintf(pairs < 10 ? "%.1f" : "%.0f", pairs), sprintf("%.1f", 100 * depth)
            }' | sed 's/^|  |/| |/'
    done
}

# The mean of a spread in a survey.
mean() {
    sed -n "s/.*\"$1\": {.*\"mean\": \([-0-9.e]*\).*/\1/p" "$work/summary" | head -n 1
}

# How people of a scene get on who look for the nearest velocity, and those who look for the one of
# least effort: means of five seeds. 3.352 J/(kg m) is the least effort that there is.
# usage: objectives SCENE PROFILE
objectives() {
    scene=$root/scenes/$1.json
    for objective in nearest effort; do
        set="profiles.$2.avoid={\"orca\": {\"objective\": \"$objective\"}}"
        for seed in 1 2 3 4 5; do
            "$program" run "$scene" --set "$set" --seed $seed --check-walls --summary - \
                >"$work/summary" 2>/dev/null
            printf '%s ' "$(number arrived)" "$(number agents)" "$(number time_last_arrival)" \
                "$(number pairs_per_step)" "$(number max_depth)" "$(number wall_crossings)" \
                "$(number path_ratio_mean)"
            "$program" measure "$scene" --set "$set" --seed $seed --quiet --summary - \
                >"$work/summary" 2>/dev/null
            echo "$(mean effort_ratio) $(mean turning)"
        done | awk -v label="$([ $objective = nearest ] && echo "$1")" -v objective=$objective '
            {
                for (i = 1; i <= NF; ++i)
                    sum[i] += $i / 5
                deepest = $5 > deepest ? $5 : deepest
                crossings += $6
            }
            END {
                printf "| %s | %s | %.0f of %d | %.0f | %.3f | %.2f | %.2f | %.1f | %.1f %% | %d |\n",
                    label, objective, sum[1], sum[2], sum[3], sum[7], 3.352 * sum[8], sum[9],
                    sum[4], 100 * deepest, crossings
            }' | sed 's/^|  |/| |/'
    done
}

# The lists.
results() {
    case $1 in
    contacts)
        echo '| scene | contacts | arrived | the last [s] | pairs that overlap per step | deepest |'
        echo '|---|---|---|---|---|---|'
        contacts 'circle-1k' circle-1k
        contacts 'streams-4' streams-4
        contacts 'evacuation' evacuation
        contacts 'corridor' corridor
        contacts 'doorway' doorway
        ;;
    objectives)
        printf '| scene | objective | arrived | the last [s] | way ÷ straight way |'
        printf ' effort of each planned metre [J/kg] | turning [rad/s] |'
        echo ' pairs that overlap per step | deepest | wall crossings |'
        echo '|---|---|---|---|---|---|---|---|---|---|'
        objectives circle-250 walker
        objectives crossing walker
        objectives corridor walker
        objectives doorway walker
        objectives evacuation walker
        objectives two-exits person
        ;;
    *)
        echo "there is no list '$1' of results" >&2
        exit 2
        ;;
    esac
}

code=0
for page in $(grep -rl '^<!-- results of ' "$root/docs"); do
    while IFS= read -r line; do
        case $line in
        '<!-- results of '*)
            list=${line#<!-- results of }
            printf '%s\n\n' "$line"
            results "${list% -->}"
            printf '\n<!-- end -->\n'
            skips=yes
            ;;
        '<!-- end -->')
            [ "${skips:-no}" = yes ] || printf '%s\n' "$line"
            skips=no
            ;;
        *)
            [ "${skips:-no}" = yes ] || printf '%s\n' "$line"
            ;;
        esac
    done <"$page" >"$work/page"
    if [ "$mode" = check ]; then
        diff "$page" "$work/page" || code=1
    else
        cp "$work/page" "$page"
    fi
done
exit $code
