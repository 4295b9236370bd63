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

# Ways to avoid that are compared: all methods that are built in, and some with other parameters. One
# more is a line here: what it is called, its page, and what scenes say. `none` avoids nobody, and
# `steer-weak` is there to collide.
ways() {
    for method in $("$program" list --methods avoid); do
        case $method in
        none | steer-weak) ;;
        *) echo "$method|$method|$method" ;;
        esac
    done
    echo 'orca, least effort|orca|{"orca": {"objective": "effort"}}'
    echo 'social-force, set of 2000|social-force|{"social-force": {"set": "helbing-2000", "keep": "none"}}'
    echo 'speed, time gap 0.5 s|speed|{"speed": {"timeGap": 0.5}}'
}

# "[orca](orca.md) |", the beginning of a row.
link() {
    printf '| [%s](%s.md) |' "$1" "$2"
}

# What people avoid each other with, and plan with, in scenes whose only profile is `walker`; cells
# are there for who plans along them.
# usage: asked COMMAND AVOID PLAN SCENE OPTIONS...
asked() {
    command=$1
    avoid=$2
    plan=$3
    scene=$4
    shift 4
    "$program" "$command" "$root/scenes/$scene.json" --set "profiles.walker.avoid=$avoid" \
        --set "profiles.walker.plan=$plan" \
        --set 'roadmaps={"cells": {"grid": {"box": [[-40, -40], [40, 40]], "side": 0.5}}}' \
        --seed 1 --quiet --summary "$work/summary" "$@" >"$work/out" 2>&1 || {
        cat "$work/out" >&2
        exit 2
    }
}

# One run: when the last one arrived, or how many did, and whether anybody overlapped or passed a
# wall.
# usage: arrivals AVOID PLAN SCENE
arrivals() {
    asked run "$1" "$2" "$3" --check-walls
    awk -v agents="$(number agents)" -v arrived="$(number arrived)" \
        -v last="$(number time_last_arrival)" -v unique="$(number unique)" \
        -v walls="$(number wall_crossings)" 'BEGIN {
            if (arrived == agents)
                printf "%.0f s", last
            else
                printf "**%d of %d**", arrived, agents
            if (unique + walls > 0)
                printf " (%d pairs overlap, %d walls are crossed)", unique, walls
        }'
}

# The lane order of the corridor.
# usage: lanes AVOID PLAN
lanes() {
    asked measure "$1" "$2" corridor
    printf '%.2f' "$(number lane_order)"
}

# What becomes of all scenes: those are named where somebody does not arrive, or overlaps.
# usage: misses AVOID PLAN SCENE...
misses() {
    missing=$1
    planned=$2
    shift 2
    told=
    for missed in "$@"; do
        found=$(arrivals "$missing" "$planned" "$missed")
        case $found in
        *of* | *\(*) told="${told:+$told, }\`$missed\` $found" ;;
        esac
    done
    printf ' %s |' "${told:-all arrive}"
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
    avoidance)
        scenes='corridor doorway crossing circle-250 evacuation'
        echo "| avoidance | $(echo $scenes | sed 's/[^ ]*/`&`/g; s/ / | /g') | lane order of \`corridor\` |"
        echo '|---|---|---|---|---|---|---|'
        ways | while IFS='|' read -r name page avoid; do
            link "$name" "$page"
            for scene in $scenes; do
                printf ' %s |' "$(arrivals "$avoid" visibility "$scene")"
            done
            printf ' %s |\n' "$(lanes "$avoid" visibility)"
        done
        ;;
    avoidance-planners)
        fields='{"flow": {"fields": 256}}'
        echo '| avoidance | `direct` | `flow`, 256 fields | `roadmap`, cells of 0.5 m | lane orders |'
        echo '|---|---|---|---|---|'
        ways | while IFS='|' read -r name page avoid; do
            link "$name" "$page"
            for plan in direct "$fields" roadmap; do
                misses "$avoid" "$plan" corridor doorway crossing circle-250
            done
            printf ' %s, %s, %s |\n' "$(lanes "$avoid" direct)" "$(lanes "$avoid" "$fields")" \
                "$(lanes "$avoid" roadmap)"
        done
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
