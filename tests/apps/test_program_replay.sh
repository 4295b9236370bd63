#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Scenes of recordings, and runs beside recordings. Usage: test_program_replay.sh PROGRAM

. "$(dirname "$0")/gear.sh"
cd "$folder" || exit 1
data=$here/../../../shared/data

# record RATE PROGRAM: rows of a recording, as awk prints them
record() {
    echo "# framerate: $1 fps"
    echo '# id frame x/m y/m z/m'
    awk "BEGIN { $2 }"
}

# against FIGURE: the mean of it in sum.json
against() {
    sed -n "s/^    \"$1\": {\"count\": [0-9]*, \"mean\": \\([^,]*\\),.*/\\1/p" sum.json
}

# near FOUND EXPECTED TOLERANCE WHAT
near() {
    awk "BEGIN { d = ($1) - ($2); exit !(d <= $3 && d >= -($3)) }" || fail "$4: $1, expected $2"
}

# --- Beside a recording ---

# Two people walk east at 1 m/s for 4 s.
record 10 'for (k = 0; k <= 40; ++k) { print 3, k, k / 10, 0, 0; print 7, k, k / 10, 2, 0 }' >two.txt

# compared ADE FDE ARGUMENTS...: means of a run beside a recording
compared() {
    ade=$1
    fde=$2
    shift 2
    expect 0 '' measure "$@" --quiet --summary sum.json --csv sum
    near "$(against ade)" "$ade" 1e-6 "ADE of $*"
    near "$(against fde)" "$fde" 1e-6 "FDE of $*"
}

compared 0 0 two.txt --against two.txt
near "$(against straight_ade)" 0 1e-6 'a straight walk'
grep -q '"ks_distance": 0$' sum.json || fail 'a recording differs from itself'
grep -q '"matched_share": 1,' sum.json || fail 'not all are matched'
# Moved by 0.3 m and 0.4 m.
record 10 'for (k = 0; k <= 40; ++k) { print 3, k, k / 10 + 0.3, 0.4, 0; print 7, k, k / 10 + 0.3, 2.4, 0 }' >moved.txt
compared 0.5 0.5 moved.txt --against two.txt
cat >expected <<'END'
id,times,present,ADE [m],FDE [m],straight ADE [m]
3,41,1,0.5,0.5,0
7,41,1,0.5,0.5,0
END
sed 's/,[0-9.]*e-[0-9]*$/,0/' sum-displacements.csv | diff expected - >out || fail 'displacements are not what they should be'
# Half as fast: 0 m to 2 m behind.
record 10 'for (k = 0; k <= 40; ++k) { print 3, k, k / 20, 0, 0; print 7, k, k / 20, 2, 0 }' >slow.txt
compared 1 2 slow.txt --against two.txt
expect 0 'mean displacement, ADE            1        1        1        1  m' measure slow.txt --against two.txt
grep -q '^speed                           0.5      0.5      0.5      0.5      0.5      0.5        1  m/s' out ||
    fail 'the speed of the run is not told'
grep -q '^  recording                       1        1 ' out || fail 'the speed of the recording is not told'
# Other rates and times.
record 4 'for (k = 0; k <= 16; ++k) { print 3, k, k / 4, 0, 0; print 7, k, k / 4, 2, 0 }' >coarse.txt
compared 0 0 coarse.txt --against two.txt
record 10 'for (k = 50; k <= 90; ++k) { print 3, k, k / 10 - 5, 0, 0; print 7, k, k / 10 - 5, 2, 0 }' >late.txt
compared 0 0 late.txt --against two.txt --offset -5
compared 0 0 two.txt --against late.txt --offset 5
compared 0 0 late.txt --against two.txt --offset -5 --from 6 --to 8
near "$(against ade)" 0 1e-9 'a part of the time'
# Who leaves early counts where he was last; 20 frames of 0.1 m to 2 m, of 41.
record 10 'for (k = 0; k <= 20; ++k) print 3, k, k / 10, 0, 0; for (k = 0; k <= 40; ++k) print 7, k, k / 10, 2, 0' >early.txt
compared $(awk 'BEGIN { printf "%.9f", 21 / 41 / 2 }') 1 early.txt --against two.txt
near "$(sed -n 's/.*"present_share": \(.*\),/\1/p' sum.json)" 62/82 1e-6 'time there'
# Who comes late counts where he came.
record 10 'for (k = 20; k <= 40; ++k) print 3, k, k / 10, 0, 0; for (k = 0; k <= 40; ++k) print 7, k, k / 10, 2, 0' >behind.txt
compared $(awk 'BEGIN { printf "%.9f", 21 / 41 / 2 }') 0 behind.txt --against two.txt
# Some are not in both.
record 10 'for (k = 0; k <= 40; ++k) { print 7, k, k / 10, 2, 0; print 8, k, k / 10, 4, 0 }' >other.txt
compared 0 0 other.txt --against two.txt
expect 0 'against two.txt: 1 of 2 people matched, 1 of the run are not in it' measure other.txt --against two.txt
record 10 'for (k = 0; k <= 40; ++k) print 1, k, k / 10, 0, 0' >nobody.txt
expect 2 "nobody of the 1 people of 'nobody.txt' has an id of the 2 of 'two.txt'" measure nobody.txt --against two.txt
# A straight walk: who goes 2 m east and 2 m north in equal times is up to √2 m off the diagonal.
record 10 'for (k = 0; k <= 40; ++k) print 3, k, k < 20 ? k / 10 : 2, k < 20 ? 0 : k / 10 - 2, 0' >corner.txt
compared 0 0 corner.txt --against corner.txt
near "$(against straight_ade)" "$(awk 'BEGIN { for (k = 0; k <= 40; ++k) s += (k < 20 ? k : 40 - k) / 20 * sqrt(2);
    printf "%.9f", s / 41 }')" 1e-6 'a straight walk round a corner'
# Speeds by density in an area of 2 m²: one person at 1 m/s.
expect 0 '' measure slow.txt --against two.txt --area a=1,1,2,3 --cut-off 5 --quiet --csv sum
grep -q '^a,' sum-diagram.csv || fail 'there are no speeds by density'
expect 0 'speed by density, middle' measure slow.txt --against two.txt
expect 0 '' measure slow.txt --against two.txt --quiet --csv sum
awk -F, '$5 != "" && ($5 - 0.5) ^ 2 < 1e-6 { ours = 1 } $7 != "" && ($7 - 1) ^ 2 < 1e-6 { theirs = 1 }
    END { exit !(ours && theirs) }' sum-diagram.csv || fail 'speeds by density are wrong'

# How both are read: what says its rate keeps it.
sed 1d two.txt >bare.txt
compared 0 0 bare.txt --against bare.txt --rate 10
compared 0 0 coarse.txt --against bare.txt --rate 10

expect 2 "--against is '$walk', expected a recording" measure two.txt --against "$walk"
expect 3 "cannot read 'nowhere.txt'" measure two.txt --against nowhere.txt
expect 2 '--offset is about a recording to compare with' measure two.txt --offset 3
expect 2 "has no people at the times that are wanted" measure two.txt --against late.txt --to 3

# --- Scenes ---

# person ID FILE: the line of a person in a scene
person() {
    grep "\"id\": $1," "${2:-scene.json}"
}

# Somebody walks 1 m/s for 3 s, stands for 5 s, and walks on; another one never stops.
record 10 'for (k = 20; k <= 130; ++k) { t = k / 10 - 2; print 4, k, t < 3 ? t : t < 8 ? 3 : t - 5, 0, 0 }
    for (k = 0; k <= 100; ++k) print 0, k, 1, k / 50, 0' >pause.txt
expect 0 'scene.json: 2 people in 13 s, steps of 0.1 s, 0 walls; 1 people pause, 1 times' convert pause.txt scene.json
person 0 | grep -q '"at": \[1, 0\], "id": 0, "appear": 0, "velocity": \[0, 0.2\], "speed": 0.2, "goal": {"point": \[1, 2\]}, "arrive": "leave"}' ||
    fail "person 0 is $(person 0)"
person 4 | grep -q '"at": \[0, 0\], "id": 4, "appear": 2, "velocity": \[1, 0\], ' || fail "person 4 is $(person 4)"
person 4 | sed 's/.*"pauses": \[\[\([0-9.]*\), \([0-9.]*\)\]\].*/\1 \2/' >times
near "$(cut -d' ' -f1 times)" 5 0.11 'a pause begins'
near "$(cut -d' ' -f2 times)" 10 0.11 'a pause ends'
near "$(person 4 | sed 's/.*"speed": \([0-9.]*\),.*/\1/')" 1 0.001 'a speed while walking'
expect 0 '' convert pause.txt scene2.json --no-pauses --quiet
! grep -q pauses scene2.json || fail 'there are pauses'
expect 0 'is sound: 0 agents and 2 to come' check scene.json
expect 0 'arrived     2' run scene.json --record run.txt
expect 0 '2 of 2 people matched' measure run.txt --against pause.txt
for file in scene.json scene2.json; do
    "$throng" measure $file --against pause.txt --quiet --summary sum.json || fail "measure $file"
    against ade >$file.ade
done
near "$(cat scene.json.ade)" 0.05 0.05 'a replay with its pause'
near "$(cat scene2.json.ade)" 0.65 0.15 'a replay without its pause'
# Parts of a recording.
expect 0 '1 people in' convert pause.txt part.json --from 11
expect 0 '' convert pause.txt part.json --area -1,-1,0.5,1 --quiet
person 4 part.json | grep -q '"goal": {"point": \[0.5, 0\]}' || fail 'an area does not end a way'
expect 0 '' convert pause.txt part.json --fps 2.5 --quiet
grep -q '"step": 0.1,' part.json || fail 'steps are no part of the time from frame to frame'
expect 0 '' convert pause.txt part.json --fps 16 --quiet
grep -q '"step": 0.0625,' part.json || fail 'steps are not the time from frame to frame'

# Times before 0.
record 10 'for (k = -30; k <= 10; ++k) print 5, k, k / 10, 0, 0' >early.txt
expect 0 "times of the scene are 3 s later than those of the recording; 'throng measure' needs --offset -3" \
    convert early.txt early.json
expect 0 '' measure early.json --against early.txt --offset -3 --quiet --summary sum.json
near "$(against ade)" 0 0.03 'a straight walk that begins before 0'

# People in walls, and goals in walls.
record 10 'for (k = 0; k <= 60; ++k) { print 1, k, 0.05 + k / 12, 0.5, 0; print 2, k, 1 + k / 30, 3.9, 0 }' >tight.txt
echo 'POLYGON((0 0, 5 0, 5 4, 0 4, 0 0), (2 1, 3 1, 3 3, 2 3, 2 1))' >room.wkt
expect 0 'note: 2 people begin where walls leave no room for a radius of 0.2 m; they will appear at the nearest free place, up to 0.15' \
    convert tight.txt tight.json --geometry room.wkt
grep -q 'note: 2 people end where walls leave no room; their goals are at the nearest free place' out ||
    fail 'goals in walls are not told of'
grep -q '"plan": "visibility"' tight.json || fail 'nobody finds a way round walls'
for method in rvo clearpath orca; do
    expect 0 'walls       never crossed' run tight.json --avoid $method --set time.end.at=30 --record tight.thlog \
        --check-walls
    [ $method = rvo ] || grep -q 'arrived     2' out || fail "not everybody arrives by $method"
    expect 0 '2 of 2 people matched' measure tight.thlog --against tight.txt
done
# The geometry of recordings of ours is theirs.
expect 0 '' convert tight.thlog again.json --quiet
sed -n '/"walls"/,/^  \]/p' tight.json >walls.1
sed -n '/"walls"/,/^  \]/p' again.json >walls.2
[ "$(grep -c . walls.1)" -eq "$(grep -c . walls.2)" ] || fail 'walls of a recording are not in its scene'

# There and back: people of a scene, those of its recording, and those of the run of that.
cat >busy.json <<'END'
{
  "throng": 1,
  "time": {"step": 0.05, "end": {"at": 30}},
  "walls": [{"room": [[0, 0], [20, 0], [20, 10], [0, 10]]}, {"box": [[9, 4], [11, 6]]}],
  "profiles": {"p": {"radius": 0.25, "plan": "visibility", "speed": {"uniform": [1, 1.5]}}},
  "agents": [
    {"source": {"in": {"box": [[1, 2], [2, 8]]}, "rate": 1, "count": 12}, "goal": {"offset": [17, 0]}, "arrive": "leave"},
    {"at": [[18, 3], [18, 5], [18, 7]], "goal": {"offset": [-16, 0]}, "arrive": "leave", "delay": 5, "id": 100}
  ]
}
END
expect 0 '' run busy.json --quiet --record first.thlog --fps 10
expect 0 'back.json: 15 people' convert first.thlog back.json
grep -q '"radius": 0.25' back.json || fail 'the radius is not that of the recording'
"$throng" convert first.thlog first.txt --quiet 2>/dev/null
# Who appears when and where, and ends where.
awk '/^#/ { next } !($1 in first) { first[$1] = $2 / 10 " " $3 " " $4; order[++n] = $1 }
    { last[$1] = $3 " " $4 } END { for (i = 1; i <= n; ++i) print order[i], first[order[i]], last[order[i]] }' \
    first.txt | sort >expected
sed -n 's/.*"at": \[\([^,]*\), \([^]]*\)\], "id": \([0-9]*\), "appear": \([^,]*\),.*"point": \[\([^,]*\), \([^]]*\)\].*/\3 \4 \1 \2 \5 \6/p' \
    back.json | sort >found
[ "$(grep -c . found)" -eq "$(grep -c . expected)" ] || fail 'the scene has others than the recording'
paste -d ' ' expected found | awk '{ for (i = 1; i <= 6; ++i) { d = $i - $(i + 6); if (d > 0.001 || d < -0.001) exit 1 } }' ||
    fail 'people of the scene are not those of the recording'
[ "$(grep -c pauses back.json)" -ge 3 ] || fail 'who waits does not pause'
for format in thlog txt h5 sqlite; do
    "$throng" run back.json --quiet --record second.$format 2>/dev/null || fail "run to .$format"
    expect 0 '' measure second.$format --against first.thlog --quiet --summary sum.json
    grep -q '"matched": 15,' sum.json || fail "ids are not kept in .$format"
    near "$(against ade)" 0.15 0.15 "the replay of a run in .$format"
done

# A run that was broken off goes on with the same people.
expect 0 '' run back.json --quiet --record whole.thlog
expect 0 '' run back.json --quiet --record parts.thlog --until 6 --snapshot parts.run
expect 0 '' run back.json --quiet --record parts.thlog --resume parts.run
"$throng" convert whole.thlog whole.txt --quiet 2>/dev/null
"$throng" convert parts.thlog parts.txt --quiet 2>/dev/null
cmp -s whole.txt parts.txt || fail 'a run that was resumed is recorded otherwise'

# What is wrong is said.
record 10 'print 1, 5, 0, 0, 0; print 2, 5, 1, 1, 0' >once.txt
expect 2 "'once.txt' has everybody in one frame only, expected people who are seen for a while" convert once.txt none.json
record 10 'print 1, 5, 0, 0, 0; print 2, 5, 1, 1, 0; print 2, 6, 1, 2, 0' >once.txt
expect 0 'note: 1 people are in one frame only, and left out' convert once.txt one.json
echo '{"throng": 1, "time": {"end": {"steps": 5}}}' >empty.json
"$throng" run empty.json --quiet --record empty.thlog || fail 'a recording of nobody'
expect 2 "'empty.thlog' has no people, of whom a scene could be made" convert empty.thlog none.json
expect 2 "'two.txt' has no people" convert two.txt none.json --from 90
record 10 'print 1, 0, 0, 0, 0; print 1, 1, "nan", 0, 0' >nan.txt
expect 2 "column 3 is 'nan', expected a number" convert nan.txt none.json
record 10 'print "4294967295", 0, 0, 0, 0; print "4294967295", 1, 1, 0, 0' >large.txt
expect 2 "'large.txt' has a person 4294967295, but ids in scenes are at most 2147483647" convert large.txt none.json
record 10 'print 1, 0, 0, 0, 0; print 1, 1, 90000, 0, 0' >far.txt
expect 2 "'far.txt' makes no scene: agents[0].goal" convert far.txt none.json
[ ! -e none.json ] || fail 'a scene of nothing was written'
expect 2 "--no-pauses is about scenes, but 'x.txt' is a recording" convert two.txt x.txt --no-pauses
expect 3 'cannot write' convert two.txt /nowhere/at/all.json
cp two.txt two.json
expect 0 '' convert two.txt two.json --quiet

# --- Real people ---

if [ -e "$data/trajectories_eth_ucy/zara02/obsmat.txt" ]; then
    real=$data/trajectories_eth_ucy/zara02
    expect 0 '204 people in 420.4 s' convert "$real/obsmat.txt" zara.json --geometry "$real/map.xml"
    expect 0 '' measure zara.json --against "$real/obsmat.txt" --quiet --summary sum.json
    near "$(against straight_ade)" 0.94 0.005 'a straight walk of zara02'
    near "$(against ade)" 0.8 0.15 'ADE of zara02'
    near "$(against fde)" 0.25 0.15 'FDE of zara02'
    # Groups that keep together walk more like the real ones than people who do not care: docs/people.md.
    expect 0 '' measure "$real/obsmat.txt" --quiet --summary real.json
    for together in none people; do
        expect 0 '' measure zara.json --avoid orca --set profiles.person.together=$together --quiet \
            --summary $together.json
    done
    # nearest FILE: the mean distance of the nearest fellow
    nearest() {
        sed -n 's/.*"group_nearest": {"count": [0-9]*, "mean": \([^,]*\),.*/\1/p' "$1"
    }
    near "$(nearest real.json)" 0.75 0.01 'real groups'
    near "$(nearest people.json)" "$(nearest real.json)" 0.2 'groups that keep together'
    near "$(nearest none.json)" 1.09 0.15 'people who do not'
    near "$(figure group_abreast people.json)" "$(figure group_abreast real.json)" 0.03 'groups walk abreast'
    near "$(figure group_abreast none.json)" 0.51 0.05 'people who do not care walk abreast'
    real=$data/trajectories_juelich/bo/bo-360-090-090.txt
    expect 0 '214 people in' convert "$real" bo.json --rate 16 --unit cm
    expect 0 '' measure bo.json --against "$real" --rate 16 --unit cm --quiet --summary sum.json
    near "$(against ade)" 0.65 0.15 'ADE of bo-360-090-090'
else
    echo 'no real people here: not replayed'
fi

finish
