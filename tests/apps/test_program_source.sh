#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# What commands take for FILE: a recording, or a scene that is run meanwhile; and that a recording
# says the same in every format that has a place for it. Usage: test_program_source.sh PROGRAM

. "$(dirname "$0")/gear.sh"
cd "$folder" || exit 1
cat >home.json <<'END'
{
  "throng": 1,
  "walls": [{"polyline": [[10, 4], [10, 8], [0, 8], [0, 0], [10, 0], [10, 2.5]]}],
  "goals": {"door": {"segment": [[10.5, 2.8], [10.5, 3.7]]}},
  "profiles": {"person": {"radius": {"uniform": [0.15, 0.3]}}},
  "agents": [{"in": {"box": [[1, 1], [7, 7]]}, "count": 20, "goal": "door", "arrive": "leave"}]
}
END

# Thin walls, radii and planned paths are in .h5 and .sqlite too.
expect 0 '' run home.json --quiet --record home.thlog
expect 0 '' measure home.thlog --quiet --summary thlog.json
for suffix in h5 sqlite; do
    "$throng" run home.json --quiet --record home.$suffix 2>/dev/null || continue
    expect 0 '' measure home.$suffix --quiet --summary $suffix.json
    sed "s/\"home.$suffix\"/\"home\"/" $suffix.json | diff thlog.json - >out ||
        fail "home.$suffix does not say the same as home.thlog"
done

# Every format knows of everybody who has left, and of frames that nobody is in: the last one,
# after the last has left. The same run gives the same bytes, at whatever time it is written.
expect 0 '' run home.json --quiet --record home.thlog
if "$throng" help | grep -q '^  render'; then
    expect 0 '20 of 20 have arrived or left' render home.thlog --as arrivals --output a.svg
fi
expect 0 'frames' convert home.thlog again.thlog
cp out whole
for suffix in txt h5 sqlite; do
    "$throng" convert home.thlog c.$suffix >/dev/null 2>&1 || continue
    expect 0 '' convert c.$suffix back.thlog --quiet
    expect 0 'frames' convert c.$suffix again.thlog
    cmp out whole || fail ".$suffix has other frames than the log"
    "$throng" run home.json --quiet --record r.$suffix
    cmp c.$suffix r.$suffix || fail "run and convert write other bytes of .$suffix"
    for file in c.$suffix r.$suffix back.thlog; do
        "$throng" help | grep -q '^  render' || continue
        expect 0 '20 of 20 have arrived or left' render $file --as arrivals --output a.svg
    done
done
sleep 1.1 # clocks of files count seconds
for suffix in thlog txt h5 sqlite; do
    [ ! -e c.$suffix ] || "$throng" convert home.thlog later.$suffix >/dev/null 2>&1
    [ ! -e c.$suffix ] || cmp c.$suffix later.$suffix || fail "the bytes of .$suffix tell the time"
done
# Between two rows, and before all: frames at 10 a second of text, with comments of our own.
cat >gaps.txt <<'END'
# framerate: 10 fps
# id frame x/m y/m z/m
1 20 0 0 0
1 30 1 0 0
2 60 0 0 0
# nobody in frames 0 to 10
# nobody in frames 40
# nobody in frames 50
# nobody in frames 70 to 70
END
expect 0 'gaps.thlog: 17 frames, 10 a second' convert gaps.txt gaps.thlog
for suffix in h5 sqlite txt; do
    "$throng" convert gaps.thlog g.$suffix >/dev/null 2>&1 || continue
    expect 0 'b.thlog: 17 frames, 10 a second, with 3 positions' convert g.$suffix b.thlog
done
for claim in '5 to 2' '9 to 1000000000' '0 to 9223372036854775807' 'x to y'; do
    printf '# framerate: 10 fps\n# id frame x/m y/m z/m\n1 20 0 0 0\n# nobody in frames %s\n' \
        "$claim" >claim.txt
    timeout 20 "$throng" convert claim.txt b.thlog >out 2>&1
    [ $? -eq 0 ] || fail "nobody in frames $claim"
done

# A recording is no scene, whatever it is called; a scene is one.
for command in run check path bench; do
    line="$command r"
    [ $command != path ] || line='path --from 0,0 --to 1,1 r'
    [ $command != bench ] || line='bench --scene r'
    for suffix in thlog h5 sqlite txt; do
        [ ! -e c.$suffix ] && [ $suffix != thlog ] && continue
        cp home.thlog c.thlog
        for name in c.$suffix ./c.$suffix; do
            # shellcheck disable=SC2086
            expect 2 "'$name' is a recording, expected a scene; see it with 'throng render $name', and what happened in it with 'throng measure $name'" ${line%r}$name
        done
    done
done
cp home.json scene.txt
expect 0 'scene.txt is sound' check ./scene.txt

# HDF5 that is not there, is something else, or is damaged: we say so, and HDF5 does not.
if [ -e c.h5 ]; then
    expect 3 "throng measure: cannot read 'gone.h5': No such file or directory" measure gone.h5
    mkdir folder.h5
    expect 3 "throng measure: cannot read 'folder.h5': Is a directory" measure folder.h5
    echo nonsense >n.h5
    expect 2 "'n.h5' is no HDF5 file of the Pedestrian Dynamics Data Archive" measure n.h5
    size=$(wc -c <c.h5)
    for part in 1 8 100 1000 2000 $((size / 2)) $((size - 1)); do
        head -c "$part" c.h5 >cut.h5
        expect 2 'cut.h5' measure cut.h5
        [ "$(wc -l <out)" -eq 1 ] || fail "a file of $part bytes: more than one line"
    done
fi

# Options that do not concern FILE.
touch walls.wkt
for option in '--rate 5' '--unit m' '--geometry walls.wkt'; do
    # shellcheck disable=SC2086
    expect 2 "${option% *} is about recordings, but 'home.json' is a scene" measure home.json $option
done
for option in '--avoid none' '--plan direct' '--set agents[0].count=2' '--seed 3' '--fps 5'; do
    # shellcheck disable=SC2086
    expect 2 "${option% *} is about scenes, but 'home.thlog' is a recording" \
        measure home.thlog $option
done
expect 2 "--unit is about text; 'home.thlog' is in metres" measure home.thlog --unit m
expect 2 "--unit is 'inch', expected m or cm" measure home.thlog --unit inch
expect 0 '"rate": 5,' measure home.thlog --rate 5 --summary -

# Methods of a scene: as if its profile had them.
expect 2 "--avoid: no avoid method 'orka'; did you mean 'orca'?" measure home.json --avoid orka
expect 2 "--plan: no plan method 'vsibility'; did you mean 'visibility'?" \
    measure home.json --plan vsibility
expect 0 '' measure home.json --quiet --summary options.json --avoid clearpath --plan visibility
expect 0 '' measure home.json --quiet --summary changes.json \
    --set profiles.person.avoid=clearpath --set profiles.person.plan=visibility
diff options.json changes.json >out || fail 'methods of options are not those of --set'
expect 0 '' measure home.json --quiet --summary own.json
! cmp -s own.json options.json || fail 'methods of options change nothing'

# Neither of the two.
mkdir folder
echo '<geometry/>' >hall.xml
for file in hall.xml ./hall.xml folder folder/; do
    expect 2 "'$file' is neither a recording nor a scene" measure "$file"
done
cp home.json home
expect 0 'people ' measure ./home
echo nonsense >bad.json
expect 2 'bad.json:1:1: ' measure bad.json
expect 2 "there is no scene 'nowhere'" measure nowhere

finish
