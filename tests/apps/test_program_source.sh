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
