#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# The command `measure`, and lines and areas of runs. Usage: test_program_measure.sh PROGRAM

. "$(dirname "$0")/gear.sh"
cd "$folder" || exit 1
scene=$here/../../scenes/bottleneck.json
data=$here/../../../shared/data

# Two people walk east at 1 m/s, 1 m apart, for 4 s.
{
    echo '# framerate: 10 fps'
    echo '# id frame x/m y/m z/m'
    awk 'BEGIN { for (k = 0; k <= 40; ++k) { print 1, k, k / 10, 0, 0; print 2, k, k / 10 - 1, 0, 0 } }'
} >two.txt
expect 0 'people                            2' measure two.txt
expect 0 'line        a: 2 people, 1 1/s (1 1/s the middle 80 %), 0.5 1/(m s), gaps of 1 s' \
    measure two.txt --line a=2.05,-1,2.05,1
expect 0 '' measure two.txt --quiet --csv two --line a=2.05,-1,2.05,1 --area b=1,-1,2,1 --summary two.json
cat >expected <<'END'
line,people,time [s],frame,id,direction,speed [m/s]
a,1,2.05,21,1,1,1
a,2,3.05,31,2,1,1
END
diff expected two-lines.csv >out || fail 'crossings are not what they should be'
cat >expected <<'END'
id,first [s],last [s],length [m],speed [m/s],effort [J/kg],path ratio,time ratio
1,0,4,4,1,13.96,,
2,0,4,4,1,13.96,,
END
diff expected two-people.csv >out || fail 'people are not what they should be'
grep -q '^speed,m/s,82,1,' two-figures.csv || fail 'the speed is not 1 m/s'
[ "$(grep -c '^b,' two-areas.csv)" -eq 41 ] || fail 'an area has not as many rows as frames'
grep -q '"size": 2,' two.json || fail 'the size of the area is not in the summary'
expect 0 '"people": 1,' measure two.txt --summary - --from 3 --to 4 --line a=2.05,-1,2.05,1

# A run, its recording and the scene measured meanwhile have the same lines and areas.
expect 0 '' run "$scene" --quiet --until 20 --record run.thlog --summary run.json
expect 0 '' measure run.thlog --quiet --summary log.json
expect 0 '' measure "$scene" --to 20 --quiet --summary scene.json
for file in run log scene; do
    sed -n '/"lines"/,/^  }/p; /"areas"/,/^  }/p' $file.json | sed 's/},$/}/' >$file.gauges
    [ -s $file.gauges ] || fail "$file.json has no lines and areas"
done
diff run.gauges log.gauges >out || fail 'a run and its recording differ'
diff log.gauges scene.gauges >out || fail 'a recording and the scene differ'
diff log.json scene.json >out || fail 'all figures of a recording and of the scene should be the same'

# What is wrong is said.
expect 2 "--line 'a' has 3 numbers, expected X1,Y1,X2,Y2" measure two.txt --line a=1,2,3
expect 2 "--line is '1,2,3,4', expected NAME=" measure two.txt --line 1,2,3,4
expect 2 "--area is 'a=1,2,x,4', expected NAME=" measure two.txt --area a=1,2,x,4
expect 2 "--area 'a' has 5 numbers, expected X1,Y1,X2,Y2 or more corners" measure two.txt --area a=1,2,3,4,5
expect 2 "area 'a' is not convex" measure two.txt --area a=0,0,4,0,1,1,0,4
expect 2 "area 'a' crosses itself" measure two.txt --area a=0,0,2,2,2,0,0,2
expect 2 "line 'door' has no length" measure two.txt --line door=1,1,1,1
expect 2 "there are two lines called 'a'" measure two.txt --line a=0,0,1,0 --line a=0,1,1,1
expect 2 "there are two areas called 'a'" measure two.txt --area a=0,0,1,1 --area a=1,1,2,2
expect 2 "there are two lines called 'passage'" measure "$scene" --line passage=0,0,1,0
expect 2 '--from is 3, expected a time before --to, which is 2' measure two.txt --from 3 --to 2
expect 2 "'two.txt' has no frame that is wanted" measure two.txt --from 10
expect 3 "cannot read 'nowhere.txt'" measure nowhere.txt
expect 3 'cannot write' measure two.txt --csv /nowhere/at/all
! grep -q '^people' out || fail 'that files cannot be written was noticed after the measuring'
expect 3 'cannot write' measure two.txt --summary /nowhere/at/all
! grep -q '^people' out || fail 'that the summary cannot be written was noticed after the measuring'
expect 0 'note: half of all speeds are above 20 m/s' measure two.txt --rate 200
expect 0 '' measure two.txt --rate 200 --quiet

# What there is nothing of.
expect 0 'deepest in a wall                 -' measure two.txt
grep -q '0.2  m assumed: none is recorded' out || fail 'the radius that was assumed is not told'
expect 0 'area        far: nobody was in it' measure two.txt --radius 0.3 --area far=50,50,51,51
! grep -q assumed out || fail 'a radius that was given is not assumed'
expect 0 '' measure two.txt --quiet --csv none --summary none.json --area far=50,50,51,51
grep -q '^in_wall_share,,,,,,,,,,,,,$' none-figures.csv || fail 'a figure of nothing is no empty field'
for figure in dispersion nearest abreast file departure; do
    grep -q "\"group_$figure\": null" none.json || fail 'a figure of nothing is not null'
done
grep -q '"voronoi_density": null' none.json || fail 'a mean of an area that nobody entered is not null'

# A door that is open is no wall, and who leaves at a goal has gone all the way to it.
cat >door.json <<'END'
{
  "throng": 1,
  "time": {"end": {"at": 40}},
  "walls": [{"polyline": [[10, 4], [10, 0], [0, 0], [0, 10], [10, 10], [10, 6]]}],
  "doors": [{"segment": [[10, 4], [10, 6]], "open": [[5, 40]]}],
  "movers": [{"disc": 0.3, "path": [[2, 9], [8, 9]], "speed": 1, "loop": true}],
  "goals": {"east": {"segment": [[13, 4.5], [13, 5.5]]}},
  "agents": [{"in": {"box": [[1, 2], [6, 8]]}, "count": 12, "goal": "east", "arrive": "leave"}]
}
END
expect 0 '' run door.json --quiet --record door.thlog
expect 0 'time in walls                     0 %' measure door.thlog
! grep -q '^radius' out || fail 'a radius that is recorded is not assumed'
expect 0 '' measure door.thlog --quiet --csv door
awk -F, '$1 == "path_ratio" && $3 == 12 && $6 >= 0.999 { found = 1 } END { exit !found }' door-figures.csv ||
    fail 'ways are shorter than planned'
expect 0 '' measure door.thlog --quiet --csv part --to 6
grep -q '^path_ratio,,0,' part-figures.csv || fail 'people who are underway have a ratio of their way'

# Two of a group side by side, 0.8 m apart; the second one leaves 4 s later than the first. A stranger stays.
mkdir -p walk
awk 'BEGIN { for (k = 0; k <= 75; ++k) { f = 10 * k; x = 0.4 * k
    if (k <= 50) print f, 1, x, 0, 0, 1, 0, 0
    if (k <= 60) print f, 2, x, 0, 0.8, 1, 0, 0
    print f, 3, 0, 0, 9, 0, 0, 0 } }' >walk/obsmat.txt
echo '1 2' >walk/groups.txt
expect 0 'of a group, abreast             100 %' measure walk/obsmat.txt
grep -q '^group leaves within *4 *4 ' out || fail 'when the group leaves is not told'
expect 0 '' measure walk/obsmat.txt --quiet --csv walk --summary walk.json
grep -q '^group_nearest,m,102,0.8,' walk-figures.csv || fail 'the nearest of a group is not 0.8 m away'
grep -q '"group_file": 0,' walk.json || fail 'nobody walks in a file'
grep -q '^group_departure,s,1,4,0,4,' walk-figures.csv || fail 'the group does not leave within 4 s'

# Lines and areas over several runs.
expect 0 'passage: flow [1/s] ' run "$scene" --until 15 --runs 2
grep -q '^front: density \[1/m²\] ' out || fail 'the table of several runs has no density'
expect 0 '' run "$scene" --until 15 --runs 2 --quiet --summary runs.json
grep -A3 '"lines": {$' runs.json | grep -q '"flow": {"mean": [0-9]' || fail 'statistics have no flow'
grep -A4 '"areas": {$' runs.json | grep -q '"speed": {"mean": [0-9]' || fail 'statistics have no speed'

# Real people, and what an independent tool says of them.
if [ -e "$data/trajectories_juelich/bottleneck/ao-300.txt" ]; then
    real=$data/trajectories_juelich/bottleneck
    reference=$data/analysis_reference/bottleneck/FlowVelocity/Flow_NT_traj_AO_300.txt_id_4.dat
    expect 0 '' measure "$real/ao-300.txt" --geometry "$real/ao-300_geo.xml" --quiet --csv ao \
        --line door=-2.25,0.5,4,0.5
    grep '^[0-9]' "$reference" >expected
    # N(t) from the frames of crossings.
    awk -F, 'NR == FNR { if ($1 == "door") ++new[$4]; next }
        { split($0, at, /[ \t]+/); total += new[at[1]]; if (total != at[3]) ++bad } END { print bad + 0 }' \
        ao-lines.csv expected >out
    [ "$(cat out)" -eq 0 ] || fail 'N(t) of real people differs from the reference'
else
    echo 'no real people here: not compared'
fi

finish
