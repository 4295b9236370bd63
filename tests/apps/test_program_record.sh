#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Recordings of runs: which frames there are, disks that are full, and going on after a snapshot.
# Usage: test_program_record.sh PROGRAM FRAME_ENDS

. "$(dirname "$0")/gear.sh"
frameEnds=$2
cd "$folder" || exit 1

# Bad usage.
expect 2 '--fps is about --record, which is not there' run "$walk" --fps 5
expect 2 '--area is about --record, which is not there' run "$walk" --area 0,0,1,1
expect 2 '--record is about a single run, but --runs is 2' run "$walk" --record x.thlog --runs 2
expect 2 "'x.png' is no name of a recording that can be written: expected one that ends in one of" \
    run "$walk" --record x.png
expect 2 "'.thlog' is no name" run "$walk" --record .thlog
expect 2 "'-' is no name" run "$walk" --record -
expect 2 '--fps is 7, expected one for which frames fall on steps of 0.1 s, such as 10 or 5' \
    run "$walk" --record x.thlog --fps 7
expect 2 '--fps is 3, expected one for which frames fall on steps of 0.1 s, such as 3.333333 or 2.5' \
    run "$walk" --record x.thlog --fps 3
expect 2 '--fps is 20, expected at most 10, a frame for each step of 0.1 s' \
    run "$walk" --record x.thlog --fps 20
expect 2 "--fps is '0', expected a number" run "$walk" --record x.thlog --fps 0
for area in 1 0,0,1 0,0,1,1,1 0,0,0,1 0,1,1,0 0,0,nan,1 0,0,inf,1 0,0,1,x ,,, '0 0 1 1' 0,0,1,1,; do
    expect 2 "--area is '$area', expected X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1" \
        run "$walk" --record x.thlog --area "$area"
done
[ ! -e x.thlog ] || fail 'bad usage leaves no file'
expect 3 "cannot write 'nowhere/x.thlog': No such file or directory" run "$walk" \
    --record nowhere/x.thlog
cp "$walk" own.thlog
expect 2 "cannot write --record to 'own.thlog': it is what is read as the scene" run ./own.thlog --record own.thlog

# frames LOG: how many there are in a log that is complete.
frames() {
    "$frameEnds" "$1" >ends
    [ "$(tail -n 1 ends)" = end ] || fail "$1 is not complete"
    echo $(($(wc -l <ends) - 1))
}

# Frame k is after k / fps seconds; frame 0 is before the first step.
expect 0 'recording   x.thlog, 21 frames, ' run "$walk" --record x.thlog --steps 20
[ "$(frames x.thlog)" -eq 21 ] || fail 'frames 0 to 20 of 20 steps'
expect 0 'recording   x.thlog, 11 frames, ' run "$walk" --record x.thlog --steps 21 --fps 5
[ "$(frames x.thlog)" -eq 11 ] || fail 'frames 0 to 10 at 5 in a second'
expect 0 'recording   x.thlog, 7 frames, ' run "$walk" --record x.thlog --steps 20 --fps 3.333333
expect 0 'recording   x.thlog, 3 frames, ' run "$walk" --record x.thlog --steps 2 \
    --set time.step=0.25
expect 0 'recording   x.thlog, 4 frames, ' run "$walk" --record x.thlog --steps 9 \
    --set time.step=0.03
expect 0 'recording   x.thlog, 3 frames, ' run "$walk" --record x.thlog --steps 13 \
    --set time.step=0.016666666666666666
expect 0 'recording   x.thlog, 1 frames, ' run "$walk" --record x.thlog --steps 0
expect 0 '' run "$walk" --quiet --record x.thlog --steps 20
[ "$(cut -d' ' -f 2 <ends | head -n 1)" = 3 ] || fail 'three people'

# The recording depends on nothing but the scene.
expect 0 '' run "$busy" --quiet --record a.thlog --threads 1 --summary a.json
expect 0 '' run "$busy" --quiet --record b.thlog --threads 3 --simd scalar
cmp a.thlog b.thlog || fail 'the recording depends on threads'
grep -qF "\"record\": $(wc -c <a.thlog)," a.json || fail 'the summary tells the size'
grep -Eq '"record_ms": [0-9]' a.json || fail 'the summary tells the time'
[ "$(frames a.thlog)" -eq 401 ] || fail 'frames 0 to 400'
"$frameEnds" a.thlog >whole

# Areas.
expect 0 '' run "$busy" --quiet --record b.thlog --area 2,-8,9,8
[ "$(frames b.thlog)" -eq 401 ] || fail 'frames 0 to 400 of an area'
[ "$(sed -n '1s/.* \([0-9]*\) .*/\1/p' ends)" -eq 30 ] || fail '30 people in the east at first'
expect 0 '' run "$busy" --quiet --record b.thlog --area 1000,1000,1001,1001
[ "$(frames b.thlog)" -eq 401 ] || fail 'empty frames are frames'

# Files that can grow no more: what was written is complete, and the run goes on.
if [ -e /dev/full ]; then
    ln -s /dev/full full.thlog
    expect 3 "throng run: cannot write 'full.thlog': No space left on device" run "$walk" \
        --record full.thlog
    grep -qF 'arrived     3' out || fail 'the run goes on when the disk is full'
    grep -qF 'recording   full.thlog, 0 frames, 0 bytes; not complete' out ||
        fail 'the table tells of the full disk'
    [ "$(grep -c 'cannot write' out)" -eq 1 ] || fail 'the full disk is told once'
fi
for blocks in 20 100 200; do
    rm -f small.thlog
    (ulimit -f $blocks && "$throng" run "$busy" --record small.thlog >out 2>&1)
    [ $? -eq 3 ] || fail "a file of $blocks blocks: exit code"
    grep -q "cannot write 'small.thlog': " out || fail "a file of $blocks blocks: it is told"
    grep -q '^time        40.0 s' out || fail "a file of $blocks blocks: the run goes on"
    [ "$(grep -c 'cannot write' out)" -eq 1 ] || fail 'it is told once'
    [ "$(frames small.thlog)" -gt 0 ] || fail "a file of $blocks blocks: no frames"
    sed '$d' ends | cmp -n "$(sed '$d' ends | wc -c)" - whole || fail 'other frames'
    [ "$(wc -c <small.thlog)" -eq "$(tail -n 2 ends | sed -n '1s/.* //p')" ] ||
        fail 'something is left behind the last frame'
    cmp -n "$(wc -c <small.thlog)" small.thlog a.thlog || fail 'other bytes'
done

# Going on, from snapshots at frames and between them, also when the log is ahead of the snapshot.
for rate in 10 2.5; do
    expect 0 '' run "$busy" --quiet --record whole.thlog --fps $rate
    for steps in 1 40 121 163; do
        rm -f part.thlog
        expect 0 '' run "$busy" --quiet --record part.thlog --fps $rate --steps $steps --snapshot s
        expect 0 '' run "$busy" --quiet --record part.thlog --fps $rate --resume s
        cmp whole.thlog part.thlog || fail "$rate frames in a second, gone on after $steps steps"
        expect 0 '' run "$busy" --quiet --record part.thlog --fps $rate --resume s
        cmp whole.thlog part.thlog || fail "the same, and the log is ahead of the snapshot"
    done
done
expect 2 "cannot go on with 'part.thlog': it has 2.5 frames in a second, this run 10" \
    run "$busy" --record part.thlog --resume s
expect 0 '' run "$busy" --quiet --record part.thlog --steps 80
expect 2 "cannot go on with 'part.thlog': it has no frame 163, after which the run goes on" \
    run "$busy" --record part.thlog --resume s
expect 0 '' run "$walk" --quiet --record part.thlog
expect 2 "cannot go on with 'part.thlog': it is of another scene" \
    run "$busy" --record part.thlog --resume s
echo nonsense >part.thlog
expect 2 "cannot read 'part.thlog'" run "$busy" --record part.thlog --resume s
grep -q nonsense part.thlog || fail 'what is no log is left alone'
rm part.thlog
expect 0 '238 frames' run "$busy" --record part.thlog --resume s
[ "$("$frameEnds" part.thlog | head -n 1 | cut -d' ' -f 1)" -eq 163 ] ||
    fail 'a recording that begins later begins where the run goes on'

# Text has no place for walls, and for radii only if all are the same.
expect 0 'throng run: walls are not kept in .txt' run "$busy" --record lost.txt --steps 1
expect 0 '' run "$busy" --quiet --record lost.txt --steps 1
grep -Eq '^# radius: 0\.[0-9]+ m$' lost.txt || fail 'the one radius is not told'
expect 0 'throng run: walls and radii are not kept in .txt' run "$busy" --record lost.txt --steps 1 \
    --set 'profiles.person.radius={"uniform": [0.2, 0.3]}'
grep -q radius lost.txt && fail 'several radii are told'

# Nothing but a log has shapes of bodies.
cat >cars.json <<'TEXT'
{"throng": 1, "profiles": {"car": {"radius": 0.5, "shape": [[1, 0.5], [-1, 0.5], [-1, -0.5], [1, -0.5]],
  "avoid": "clearpath"}}, "agents": [{"at": [0, 0], "goal": {"offset": [9, 0]}}]}
TEXT
expect 0 'throng run: shapes of bodies and headings are not kept in .txt' run cars.json \
    --record lost.txt --steps 1
"$throng" run cars.json --record kept.thlog --steps 1 2>&1 | grep -q 'not kept' &&
    fail 'logs keep shapes of bodies'

# Other formats are written from a log at the end.
for suffix in txt h5 sqlite; do
    if "$throng" run "$walk" --record x.$suffix --steps 0 2>&1 | grep -q 'built without'; then
        echo "not tested: .$suffix, which this program was built without"
        continue
    fi
    rm -f x.$suffix*
    echo 'of somebody else' >x.thlog
    expect 0 "recording   x.$suffix, 401 frames, " run "$busy" --record x.$suffix --summary x.json
    grep -qF "\"record\": $(wc -c <x.$suffix)," x.json || fail "the summary tells the size of x.$suffix"
    [ ! -e x.$suffix.thlog ] || fail "the log of x.$suffix is left"
    grep -q 'somebody else' x.thlog || fail 'a log of somebody else is overwritten'
    # A log that is left is as good.
    "$throng" convert a.thlog y.$suffix >out 2>&1 || fail "a.thlog cannot be converted to .$suffix"
    [ $suffix != txt ] || cmp x.txt y.txt || fail 'throng convert writes another file'
    # Going on needs the log.
    expect 0 '' run "$busy" --quiet --record z.$suffix --steps 163 --snapshot s
    [ -e z.$suffix.thlog ] || fail 'the log stays beside a snapshot'
    expect 0 '401 frames' run "$busy" --record z.$suffix --resume s
    [ $suffix != txt ] || cmp x.txt z.txt || fail 'a run that goes on is recorded otherwise'
    [ ! -e z.$suffix.thlog ] || fail 'the log is left after going on'
    expect 2 "cannot go on with 'z.$suffix': its log 'z.$suffix.thlog' is not there" run "$busy" \
        --record z.$suffix --resume s
    # An area in which nobody is.
    expect 0 '; nobody was in it' run "$walk" --record none.$suffix --area 1000,1000,1001,1001
    expect 0 '; nobody was in it' convert none.$suffix none.thlog
    [ "$(frames none.thlog)" -gt 50 ] || fail "none.$suffix has lost the frames that nobody is in"
    # What cannot be written leaves the log; what certainly cannot be is noticed before.
    mkdir folder.$suffix
    expect 3 "cannot write 'folder.$suffix': Is a directory" run "$busy" --record folder.$suffix
    [ ! -e folder.$suffix.thlog ] || fail 'there was a run although its recording cannot be written'
    echo before >full.$suffix
    (ulimit -f $(($(wc -c <a.thlog) / 512 + 8)) &&
        "$throng" run "$busy" --record full.$suffix >out 2>&1)
    [ $? -eq 3 ] || fail 'exit code of a recording that does not fit'
    grep -qF "go on with 'throng convert full.$suffix.thlog full.$suffix'" out ||
        fail 'it is not told where the frames are'
    grep -qx before full.$suffix || fail 'what was there before is lost'
    [ ! -e full.$suffix.part ] || fail 'a part is left'
    grep -q '^recording   full.*; not complete' out || fail 'the table tells that it is not complete'
    cmp full.$suffix.thlog a.thlog || fail "the log of full.$suffix is not complete"
done

finish
