#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# The program and its files: what it writes, and what it says when it cannot.
# Usage: test_program_files.sh PROGRAM

. "$(dirname "$0")/gear.sh"

# Summary and hashes agree, and do not depend on threads and instruction set.
expect 0 'state hash' run "$busy" --summary "$folder/a.json" --hashes "$folder/a.txt" --threads 1
expect 0 'state hash' run "$busy" --summary "$folder/b.json" --hashes "$folder/b.txt" --threads 3 \
    --simd scalar
cmp "$folder/a.txt" "$folder/b.txt" || fail 'the hashes depend on threads'
figures "$folder/a.json" >"$folder/a"
figures "$folder/b.json" >"$folder/b"
cmp "$folder/a" "$folder/b" || fail 'the figures depend on threads'
[ "$(wc -l <"$folder/a.txt")" -eq 400 ] || fail 'one line for each of the 400 steps'
last=$(tail -n 1 "$folder/a.txt" | cut -d' ' -f 1-2)
grep -qF "\"state_hash\": \"${last#400 }\"" "$folder/a.json" || fail 'the last hash is that of the summary'

# Another seed is another run, and the same one is not.
expect 0 '' run "$busy" --quiet --hashes "$folder/b.txt" --seed 2
! cmp -s "$folder/a.txt" "$folder/b.txt" || fail 'seeds make no difference'
expect 0 '' run "$busy" --quiet --hashes "$folder/b.txt" --seed 1
cmp "$folder/a.txt" "$folder/b.txt" || fail 'seed 1 is the default'

# --summary - is JSON and nothing else, also with progress on stderr.
"$throng" run "$walk" --summary - 2>/dev/null >"$folder/out"
[ "$(head -c 1 "$folder/out")" = '{' ] && [ "$(tail -n 1 "$folder/out")" = '}' ] ||
    fail '--summary - prints one object and nothing else'
"$throng" run "$walk" --hashes - 2>/dev/null >"$folder/out"
! grep -Evq '^[0-9]+( [0-9a-f]{16}){6}$' "$folder/out" || fail '--hashes - prints hashes and nothing else'

# Snapshots.
expect 0 '' run "$walk" --quiet --snapshot "$folder/x.thsnap" --steps 50
[ ! -e "$folder/x.thsnap.part" ] || fail 'nothing is left beside the snapshot'
expect 0 "time        6.0 s in 60 steps" run "$walk" --resume "$folder/x.thsnap" --steps 60
expect 0 '' run "$walk" --quiet --snapshot "$folder/end.thsnap"
expect 0 'no step was made: the run had already ended' run "$walk" --resume "$folder/end.thsnap"
expect 2 "it was made with '--seed 5', this run has '--seed 6'" run "$walk" --seed 6 \
    --resume "$folder/x.thsnap"
expect 2 'cannot resume' run "$busy" --set seed=5 --resume "$folder/x.thsnap"
expect 2 "cannot resume from '$walk': it is no saved run" run "$walk" --resume "$walk"
head -c 200 "$folder/x.thsnap" >"$folder/short"
expect 2 "cannot resume from '$folder/short': it is damaged" run "$walk" --resume "$folder/short"
(cd "$folder" && "$throng" run "$walk" --quiet --snapshot-every 10 && [ -e walk.thsnap ]) ||
    fail 'the snapshot is named after the scene'

# Files that cannot be read or written.
nowhere=$folder/nowhere/file
expect 3 "throng run: cannot read '$nowhere.json': No such file or directory" run "$nowhere.json"
expect 3 "throng check: cannot read '$nowhere.json': No such file or directory" check "$nowhere.json"
sed 's#"goals"#"walls": [{"file": "nowhere.wkt"}], "goals"#' "$walk" >"$folder/unwalled.json"
for command in run check; do
    expect 2 'nowhere.wkt' $command "$folder/unwalled.json"
done
expect 3 "throng run: cannot write '$nowhere': No such file or directory" run "$walk" \
    --summary "$nowhere"
expect 3 "throng run: cannot write '$nowhere': No such file or directory" run "$walk" \
    --hashes "$nowhere"
expect 3 "throng run: cannot write '$nowhere': No such file or directory" run "$walk" \
    --snapshot "$nowhere"
expect 3 "throng run: cannot read '$nowhere': No such file or directory" run "$walk" \
    --resume "$nowhere"
expect 3 "throng run: cannot read '$folder': Is a directory" run "$walk" --resume "$folder"
if [ -e /dev/full ]; then
    expect 3 "cannot write '/dev/full': No space left on device" run "$walk" --summary /dev/full
    expect 3 "cannot write '/dev/full': No space left on device" run "$walk" --hashes /dev/full
    expect 3 "cannot write '/dev/full': No space left on device" run "$busy" --hashes /dev/full
    for command in 'help' 'list' 'check walk' 'run walk' 'run walk --summary -' '--version'; do
        THRONG_SCENES=$here/scenes "$throng" $command >/dev/full 2>"$folder/out"
        [ $? -eq 3 ] || fail "throng $command: a full disk is an error"
        grep -qF 'cannot write the standard output: No space left on device' "$folder/out" ||
            fail "throng $command: a full disk is told"
    done
fi

# A picture of a floor that nothing is on does not replace another.
if "$throng" help | grep -q '^  render'; then
    echo before >"$folder/p.svg"
    expect 2 '--level is 3, expected a floor that something is on: 0' render "$walk" --level 3 \
        --output "$folder/p.svg"
    grep -qx before "$folder/p.svg" || fail 'the picture was replaced'
fi

# The scene is not overwritten by what comes out of it.
cp "$walk" "$folder/own.json"
for option in --summary --hashes --snapshot; do
    expect 2 'it is what is read as the scene' run "$folder/own.json" $option "$folder/own.json"
done
cmp "$walk" "$folder/own.json" || fail 'the scene was overwritten'

# A standard output that is closed, or whose reader has gone.
"$throng" list >&- 2>"$folder/out"
[ $? -eq 3 ] || fail 'a closed standard output is an error'
"$throng" run "$walk" --summary "$folder/s.json" >&- 2>&- <&-
grep -q state_hash "$folder/s.json" || fail 'the summary is written whatever happens to the output'
{ "$throng" run "$walk" --summary "$folder/s.json" 2>"$folder/out"; echo $? >"$folder/code"; } | :
[ "$(cat "$folder/code")" -le 3 ] || fail "a reader that has gone: exit code $(cat "$folder/code")"

finish
