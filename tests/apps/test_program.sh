#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# The program's command line: exit codes, messages, and whole outputs (golden/). Times and hashes are
# not looked at. Usage: test_program.sh PROGRAM [update]
# With update the golden outputs are written instead of compared.

. "$(dirname "$0")/gear.sh"
update=${2-}

# What comes out differently each time is made the same.
normalize() {
    sed -E -e "s#$folder#FOLDER#g" -e "s#$here/##g" \
        -e 's/^(speed +)[0-9.e+-]+( ns.*, )[0-9.e+-]+/\1N\2N/' \
        -e 's/^( +)[0-9.e+-]+( ms .*, )[0-9.e+-]+( ms .* threads )[0-9]+, .*/\1N\2N\3N, SET/' \
        -e 's/^(ns for agent and step|times real time) .*/\1 N/' \
        -e 's/(state hash +)[0-9a-f]{16}/\1H/' -e 's/("state_hash": )"[0-9a-f]{16}"/\1"H"/' \
        -e 's/"(threads|ns_per_agent_step|realtime_factor)": [0-9.e+-]+/"\1": N/g' \
        -e 's/"simd": "[a-z0-9]+"/"simd": "SET"/g' -e 's/"(ms_per_step|stages_ms)": \{[^}]*\}/"\1": N/g' \
        -e 's/"(agents|neighbours|world|peak)": [0-9]{4,}/"\1": N/g' \
        -e 's/("(ns_per_agent_step|realtime_factor)": )\{[^}]*\}/\1N/' \
        -e '/^  render FILE /d' -e 's/^(built with) .*/\1 N/' -e 's/^(instruction sets here:) .*/\1 N/'
}

# golden NAME CODE ARGUMENTS...: the output is that of golden/NAME.txt.
golden() {
    name=$1
    code=$2
    shift 2
    "$throng" "$@" >"$folder/raw" 2>&1
    found=$?
    normalize <"$folder/raw" >"$folder/out"
    [ "$found" -eq "$code" ] || fail "throng $*: exit code $found, expected $code"
    if [ "$update" = update ]; then
        cp "$folder/out" "$here/golden/$name.txt"
    elif ! diff "$here/golden/$name.txt" "$folder/out" >"$folder/difference"; then
        fail "throng $*: the output is not that of golden/$name.txt"
        cat "$folder/difference"
    fi
}

broken=$here/scenes/broken.json

echo '{}' >"$folder/nothing.json"
cat >"$folder/full.json" <<END
{
  "throng": 1,
  "time": {"end": {"at": 5}},
  "agents": [{"at": [0, 0]}, {"source": {"in": {"disc": [0, 0], "radius": 0.1}, "rate": 2}}]
}
END
cat >"$folder/odd.json" <<END
{
  "throng": 1,
  "walls": [{"box": [[0, 0], [4, 4]]}],
  "agents": [{"at": [[6, 0], [6.1, 0]], "goal": {"point": [2, 2]}}]
}
END

golden help 0 help
golden help_run 0 help run
golden help_check 0 check --help
golden help_list 0 list --help
golden help_path 0 path --help
golden help_help 0 help --help
golden version 0 --version
golden check_sound 0 check "$walk"
golden check_broken 2 check "$broken"
golden check_broken_json 2 check "$broken" --json
golden check_crowded 2 check "$here/scenes/crowded.json"
golden run_walk 0 run "$walk"
golden run_walk_summary 0 run "$walk" --summary - --check-walls
golden run_walk_several 0 run "$walk" --runs 3
golden run_walk_several_summary 0 run "$walk" --runs 2 --summary -
golden run_walk_short 0 run "$walk" --until 2
golden run_broken 2 run "$broken"
golden run_set_wrong 2 run "$walk" --set time.step=-3

golden check_nothing_json 2 check "$folder/nothing.json" --json
golden run_set_unknown 2 run "$walk" --set agnets[0].count=3 --set tiem.step=1
golden check_notes 0 check "$folder/odd.json"
golden check_notes_json 0 check "$folder/odd.json" --json
golden run_unplaced 0 run "$folder/full.json"

# Why people who are underway have no way, counted together; a planner that is not told its roadmap.
cat >"$folder/edge.json" <<'END'
{
  "throng": 1,
  "time": {"end": {"arrived": true, "at": 2}},
  "walls": [{"room": [[0, 0], [20, 0], [20, 10], [0, 10]]}, {"box": [[9, 0], [11, 8]]}],
  "goals": {"in": {"point": [10, 4]}, "out": {"point": [18, 2]}},
  "roadmaps": {"a": {"nodes": [[1, 1]]}, "b": {"nodes": [[2, 2]]}},
  "profiles": {"p": {"plan": "visibility"}},
  "agents": [{"at": [[2, 5], [3, 5]], "goal": "in"}, {"at": [4, 2], "goal": "out"}]
}
END
expect 0 '            2 have no way: the goal lies in an obstacle' run "$folder/edge.json"
expect 0 '            1 has no way: the roadmap does not lead from here to the goal' \
    run "$folder/edge.json" --set 'profiles.p.plan={"roadmap": {"graph": "a"}}'
expect 2 "roadmap needs 'graph', because there are 2 roadmaps: set it in the profiles" \
    run "$folder/edge.json" --plan roadmap
expect 2 "roadmap needs a roadmap: describe one in 'roadmaps'" run "$walk" --plan roadmap
expect 2 "did you mean 'crowding'?" \
    check "$folder/edge.json" --set 'profiles.p.plan={"visibility": {"crowd": 1}}'

# Names that are misspelt on the command line, and what they do not do in secret.
expect 2 "--avoid: no avoid method 'clearpaht'; did you mean 'clearpath'?" \
    run "$walk" --avoid clearpaht
expect 2 "--plan: no plan method 'visibilty'; did you mean 'visibility'?" \
    run "$walk" --plan visibilty
expect 2 "--group: no group method 'x'; there are: none" run "$walk" --group x
expect 2 "--set profiles.walkr.avoid=clearpath: no profile 'walkr'; did you mean 'walker'?" \
    run "$walk" --set profiles.walkr.avoid=clearpath
expect 0 '  "avoid": "none",' run "$walk" --summary - --set 'profiles.left={"avoid": "clearpath"}' \
    --set 'agents[0].profile=walker'
expect 2 "--set profiles.p.plan.roadmap: there is 'visibility' already; to replace it, set the" \
    check "$folder/edge.json" --set 'profiles.p.plan={"visibility": {}}' \
    --set profiles.p.plan.roadmap.graph=a

# Steps that are divided are counted in one run and in several.
divided="profiles.walker.avoid.clearpath.mode=1"
expect 0 'substeps    ' run circle-50 --until 12 --set "$divided"
expect 0 '"divided_steps": ' run circle-50 --until 12 --set "$divided" --summary -
expect 0 'divided steps         ' run circle-50 --until 12 --set "$divided" --runs 2
expect 0 'substeps of these     ' run circle-50 --until 12 --set "$divided" --runs 2

# Who starts at 0 arrives when it has walked so long.
"$throng" run circle-10 --set profiles.walker.avoid.clearpath.mode=h >"$folder/out"
grep -qE 'at ([0-9.]+) s after \1 s,' "$folder/out" || fail 'one number is rounded in two ways'

# Bad usage.
expect 2 "a command is missing; see 'throng help'"
expect 2 "throng: 'rnu' is not a command; did you mean 'run'?" rnu circle-10
expect 2 "'explain' is not a command; did you mean 'render SCENE --at T --debug AGENT'?" explain
expect 2 "'xyzzy' is not a command; see 'throng help'" xyzzy
expect 2 "throng help: 'chek' is not a command; did you mean 'check'?" help chek
expect 2 "throng run: a SCENE is missing; see 'throng run --help'" run
expect 2 "throng check: a SCENE is missing" check --json
expect 2 "'extra' is unexpected; see 'throng run --help'" run "$walk" extra
expect 2 "'extra' is unexpected; see 'throng list --help'" list extra
expect 2 "'--sumary' is not an option; did you mean '--summary'?" run "$walk" --sumary x
expect 2 "'--sumary' is not an option; did you mean '--summary'?" run "$walk" --sumary=x
expect 2 "'--xyzzy' is not an option; see 'throng run --help'" run "$walk" --xyzzy
expect 2 "'-q' is not an option; see 'throng run --help'" run "$walk" -q
expect 2 '--summary needs a value: --summary FILE' run "$walk" --summary
expect 2 '--summary is empty, expected FILE' run "$walk" --summary=
expect 2 "--quiet takes no value, but 'yes' was given" run "$walk" --quiet=yes
expect 2 "--steps is 'x', expected a whole number from 0 to 1000000000000000" run "$walk" --steps x
expect 2 "--steps is '1.5', expected a whole number" run "$walk" --steps 1.5
expect 2 "--steps is '-1', expected a whole number" run "$walk" --steps -1
expect 2 "--steps is '99999999999999999999', expected a whole number" run "$walk" \
    --steps 99999999999999999999
expect 2 "--until is 'nan', expected a number from 0 to 1e+12" run "$walk" --until nan
expect 2 "--until is '', expected a number" run "$walk" --until ''
expect 2 "--threads is '0', expected a whole number from 1 to 64" run "$walk" --threads 0
expect 2 "--threads is '65', expected a whole number from 1 to 64" run "$walk" --threads 65
expect 2 "--seed is '-1', expected a whole number from 0 to" run "$walk" --seed -1
expect 2 "--simd is 'mmx', expected one of auto, scalar, sse2, avx2" run "$walk" --simd mmx
expect 3 "--simd is 'wasm128', which this machine or this build does not have" run "$walk" \
    --simd wasm128
expect 2 "--backend is 'gpu', expected cpu" run "$walk" --backend gpu
expect 2 '--hashes is about a single run, but --runs is 2' run "$walk" --runs 2 --hashes -
expect 2 '--snapshot is about a single run, but --runs is 2' run "$walk" --runs 2 --snapshot x
expect 2 "cannot write --hashes to '-': that is where --summary goes" run "$walk" --summary - --hashes -
expect 2 'xyzzy' run "$walk" --avoid xyzzy
expect 2 'xyzzy' run "$walk" --plan xyzzy

# Scenes by name.
export THRONG_SCENES="$folder/nowhere:$here/scenes"
expect 0 'arrived     3' run walk
expect 2 "there is no scene 'wlak'; did you mean 'walk'?" run wlak
expect 2 "there is no scene 'circle'; did you mean 'circle-2', 'circle-3', 'circle-10'" run circle
expect 2 "there is no scene 'r'; did you mean 'random-1k', 'random-10k'" check r
expect 2 "there is no scene 'xyzzy', neither as a file nor in 'throng list'" check xyzzy
expect 0 'Three people walk ten metres' list
expect 0 "cannot be read; 'throng check' says why" list
expect 0 walk list --names
grep -qx circle-10 "$folder/out" || fail "'throng list --names' has the program's scenes too"
mkdir "$folder/mixed"
echo '{"name": "no scene"}' >"$folder/mixed/package.json"
cp "$walk" "$folder/mixed/stroll.json"
THRONG_SCENES=$folder/mixed expect 0 stroll list
! grep -q package "$folder/out" || fail "'throng list' shows what is no scene"
cp "$walk" "$folder/other.json"
mkdir "$folder/mine"
sed 's/Three people/My people/' "$walk" >"$folder/mine/circle-10.json"
export THRONG_SCENES="$folder/mine"
expect 0 'My people' list
[ "$(grep -c circle-10 "$folder/out")" -eq 1 ] || fail 'of two scenes with one name the first counts'
unset THRONG_SCENES
(cd "$folder" && "$throng" run other.json >out 2>&1) || fail 'a file of the present folder is found'

# Ends, and what is quiet.
expect 0 '2.0 s in 20 steps' run "$walk" --steps 20
expect 0 '2.5 s in 25 steps' run "$walk" --until 2.5
expect 0 '2.0 s in 20 steps' run "$walk" --until 2.5 --steps 20
expect 0 '0.0 s in 0 steps' run "$walk" --steps 0
expect 0 '90.0 s in 900 steps' run "$walk" --steps 900
expect 0 '9.7 s in 97 steps' run "$walk" --until 90
expect 0 '1.0 s in 2 steps of 0.5 s' run "$walk" --set time.step=0.5 --steps=2
expect 0 '' run --quiet -- "$walk"
expect 0 '"seed": 0' run "$walk" --seed 0 --steps 1 --summary -
expect 0 'no step was made' run "$walk" --steps 0

# Nothing of a table before what is wrong is told.
for wrong in '--scene xyzzy' '--avoid orka' '--simd mmx'; do
    # The words of $wrong are two, on purpose.
    expect 2 "${wrong#* }" bench --steps 1 --scene circle-2 $wrong
    ! grep -q '^scene ' "$folder/out" || fail "throng bench $wrong: the table was begun"
done
expect 2 "--avoid: no avoid method 'orka'; did you mean 'orca'?" bench --scene circle-2 --avoid orka
expect 2 "--plan: no plan method 'wayto'; there are: direct" bench --scene circle-2 --plan wayto
expect 2 "no case 'late'; there are: random-100k-early, random-10k-late" bench --case late
expect 2 '--set needs a --scene: cases have their own' bench --case city-100k --set seed=1
expect 2 '--steps or --warm-up needs a --scene' bench --warm-up 3
expect 2 '--case and --scene are one too many' bench --case city-100k --scene circle-2

finish
