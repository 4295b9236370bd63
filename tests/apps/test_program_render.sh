#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Pictures, charts and films: every kind, as every file, is what its suffix says; and what is said
# when one cannot be made. Usage: test_program_render.sh PROGRAM

. "$(dirname "$0")/gear.sh"
needRender

# A line and an area in the middle of the scene.
gauges='--line across=5,-50,5,50 --area middle=0,-5,10,5'

# sizeOf PNG: its width and height, from the head of the file.
sizeOf() {
    od -An -tu1 -j16 -N8 "$1" |
        awk '{print $1 * 16777216 + $2 * 65536 + $3 * 256 + $4, $5 * 16777216 + $6 * 65536 + $7 * 256 + $8}'
}

for what in frame paths density lapse counts flow arrivals diagram; do
    measured=
    case $what in counts | flow | diagram) measured=$gauges ;; esac
    for suffix in png svg pdf; do
        file=$folder/$what.$suffix
        # A list of words, split on purpose.
        expect 0 "$file: " render "$busy" --as $what --width 500 --output "$file" $measured
        isPicture "$file" || fail "$file is no picture"
        [ ! -e "$file.part" ] || fail "something is left beside $file"
    done
    [ "$(sizeOf "$folder/$what.png" | cut -d' ' -f1)" -eq 500 ] || fail "$what.png is not 500 wide"
    [ "$(sizeOf "$folder/$what.png" | cut -d' ' -f2)" -ge 40 ] || fail "$what.png is too low"
done
for colour in goal agent group speed; do
    for what in frame paths lapse; do
        expect 0 '' render "$busy" --as $what --colour $colour --quiet --width 300 \
            --output "$folder/c.png"
    done
done

# Groups are shown where there are some, unless something else is asked for.
for group in '' ', "group": "family"'; do
    printf '%s' '{"throng": 1, "agents": [{"at": [0, 0], "goal": {"point": [9, 0]}},' \
        '{"at": [[0, 2], [0, 3]], "goal": {"point": [9, 2]}'"$group"'}]}' >"$folder/groups.json"
    for colour in goal group; do
        expect 0 '' render "$folder/groups.json" --at 2 --colour $colour --quiet --width 300 \
            --output "$folder/by-$colour.png"
    done
    expect 0 '' render "$folder/groups.json" --at 2 --quiet --width 300 --output "$folder/usual.png"
    cmp -s "$folder/by-goal.png" "$folder/by-group.png" && fail 'groups have the colour of goals'
    usual=goal
    [ -z "$group" ] || usual=group
    cmp "$folder/usual.png" "$folder/by-$usual.png" || fail "the usual colours are not by $usual"
done

# The same twice is the same file: nothing of a picture is left to chance.
expect 0 '' render "$busy" --as paths --width 500 --quiet --output "$folder/again.png"
cmp "$folder/paths.png" "$folder/again.png" || fail 'a picture differs from time to time'

# Times and names.
expect 0 'walk at t = 3.0 s' render "$walk" --at 3 --output "$folder/at.png"
expect 0 'from 1.0 to 2.0 s' render "$walk" --as lapse --moments 3 --from 1 --to 2 \
    --output "$folder/lapse.png"
(cd "$folder" && "$throng" render "$walk" --quiet --width 200 && isPicture walk.png &&
    "$throng" render "$walk" --as paths --quiet --width 200 && isPicture walk-paths.png) ||
    fail 'pictures are named after the scene'
expect 0 'to a square metre, counted in cells of 1 m, mean over' render "$busy" --as density \
    --smooth 0 --cell 1 --width 300 --output "$folder/cells.png"
expect 0 'to a square metre, smoothed over 0.4 m, mean over 2.0 s' render "$busy" --as density \
    --from 1 --to 3 --width 300 --output "$folder/smooth.png"

# Who leaves long before the end is shown where it was last, also in the last of several moments.
cat >"$folder/leaver.json" <<'END'
{"throng": 1, "time": {"end": {"at": 10}}, "profiles": {"person": {"speed": 1}},
 "agents": [{"at": [0, 0], "goal": {"point": [2, 0]}, "arrive": "leave"}]}
END
expect 0 'leaver at t = 1.' render "$folder/leaver.json" --output "$folder/leaver.png" --width 300
expect 0 'from 0.0 to 1.' render "$folder/leaver.json" --as lapse --output "$folder/leaver.png"
expect 0 'from 0.0 to 10.0' render "$folder/leaver.json" --as lapse --to 10 \
    --output "$folder/leaver.png"
expect 0 'leaver at t = 10.0' render "$folder/leaver.json" --at 10 --output "$folder/leaver.png"

# Two people walk east at 1 m/s for 4 s.
{
    echo '# framerate: 10 fps'
    echo '# id frame x/m y/m z/m'
    awk 'BEGIN { for (k = 0; k <= 40; ++k) { print 1, k, k / 10, 0, 0; print 2, k, k / 10 - 1, 0, 0 } }'
} >"$folder/two.txt"
expect 0 'two at t = 4.0 s' render "$folder/two.txt" --output "$folder/two.png" --width 300
expect 2 "--at is 5 s, but '$folder/two.txt' goes from 0 to 4 s" render "$folder/two.txt" --at 5 \
    --output "$folder/never.png"
expect 2 'goes from 0 to 4 s' render "$folder/two.txt" --at -1 --output "$folder/never.png"
expect 0 'note: nobody in' render "$folder/two.txt" --colour group --output "$folder/two.png"

# Several in one chart.
several="$folder/two.txt --with $busy --line a=2.05,-1,2.05,1 --area b=1,-1,2,1 --width 600"
for what in counts flow arrivals diagram; do
    # A list of words, split on purpose.
    expect 0 'two and busy: ' render $several --as $what --cut-off 1 --output "$folder/with.png"
    expect 0 '' render $several --as $what --cut-off 1 --output "$folder/with.svg" --quiet
    isPicture "$folder/with.svg" || fail "--as $what of two is no picture"
done
expect 0 'two and 2 others' render $several --with "$walk" --as arrivals --output "$folder/with.png"
expect 2 '--with is for charts' render $several --output "$folder/never.png"
expect 3 'nowhere' render "$folder/two.txt" --as arrivals --with "$folder/nowhere.txt" \
    --output "$folder/never.png"
expect 0 'note: there are no walls' render "$folder/two.txt" --as diagram --area b=1,-1,2,1 \
    --output "$folder/with.png"
expect 0 '' render "$folder/two.txt" --as diagram --area b=1,-1,2,1 --cut-off 1 --quiet \
    --output "$folder/cut.png"
! cmp -s "$folder/with.png" "$folder/cut.png" || fail '--cut-off changes nothing'
expect 0 'two: people across each line' render "$folder/two.txt" --as counts --scene bottleneck \
    --output "$folder/scene.png"

# obsmat.txt is the name of all of them.
mkdir "$folder/seq_one"
awk 'BEGIN { for (k = 0; k <= 40; ++k) print 10 * k, 1, k / 10, 0, 2, 1, 0, 0 }' \
    >"$folder/seq_one/obsmat.txt"
expect 0 'seq_one at t = 16.0 s' render "$folder/seq_one/obsmat.txt" --output "$folder/two.png"

# A recording looks like the run it is of; only headings are rounded in it.
if "$throng" run --help | grep -q -- --record; then
    expect 0 '' run "$busy" --quiet --record "$folder/busy.thlog"
    for what in paths density; do
        expect 0 '' render "$folder/busy.thlog" --as $what --width 500 --quiet \
            --output "$folder/recorded.png"
        cmp "$folder/recorded.png" "$folder/$what.png" ||
            fail "--as $what of a recording differs from that of the run"
    done
fi

# What makes no sense.
out=$folder/never.png
expect 2 "did you mean 'density'?" render "$walk" --as desnity --output "$out"
expect 2 "--as is 'x', expected frame, paths, density" render "$walk" --as x --output "$out"
expect 2 "did you mean 'speed'?" render "$walk" --colour sped --output "$out"
expect 2 'expected a name that ends in .png' render "$walk" --output "$folder/x.jpg"
expect 2 'makes no film' render "$walk" --as paths --output "$folder/x.mp4"
expect 2 'takes --from and --to' render "$walk" --as paths --at 3 --output "$out"
expect 2 'a frame takes --at' render "$walk" --from 3 --output "$out"
expect 2 'expected a time before --to' render "$walk" --as paths --from 3 --to 2 --output "$out"
expect 2 '--cell is 0.001 m' render "$busy" --as density --cell 0.001 --output "$out"
expect 2 'expected a floor that something is on: 0' render "$walk" --level 7 --output "$out"
expect 2 'no line to measure at' render "$walk" --as counts --output "$out"
expect 2 'no area to measure in' render "$walk" --as diagram --output "$out"
expect 3 "nothing to draw in '$walk'" render "$walk" --as density --from 1e6 --output "$out"
expect 3 'No such file or directory' render "$walk" --output "$folder/nowhere/x.png"
expect 3 'No such file or directory' render "$walk" --output "$folder/nowhere/x.mp4"
[ ! -e "$out" ] || fail 'a picture was written in spite of an error'

# Films.
program=$throng
throng=env
expect 3 'films need the program ffmpeg' PATH=/nonexistent "$program" render "$walk" --output \
    "$folder/x.mp4"
throng=$program
[ ! -e "$folder/x.mp4" ] && [ ! -e "$folder/x.mp4.part" ] || fail 'a film without ffmpeg'
if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
    # probe FILE ENTRY: what ffprobe says of the film.
    probe() {
        ffprobe -v error -count_frames -select_streams v -show_entries "stream=$2" \
            -of default=nokey=1:noprint_wrappers=1 "$1"
    }
    # The run has a frame each 0.1 s; the film has 20 a second and goes twice as fast: 2 s take
    # 1 s, with a frame at both ends.
    for suffix in mp4 gif; do
        film=$folder/film.$suffix
        expect 0 '21 frames of walk' render "$walk" --from 1 --to 3 --fps 20 --speed 2 --width 301 \
            --output "$film"
        [ "$(probe "$film" nb_read_frames)" = 21 ] || fail "$film: frames"
        [ "$(probe "$film" r_frame_rate)" = 20/1 ] || fail "$film: rate"
        [ "$(probe "$film" width)" = 302 ] || fail "$film: width"
        [ $(($(probe "$film" height) % 2)) -eq 0 ] || fail "$film: an odd height"
        [ ! -e "$film.part" ] || fail "something is left beside $film"
    done
    # A failure leaves the film that was there: here the partial one cannot be written.
    echo before >"$folder/kept.mp4"
    mkdir "$folder/kept.mp4.part"
    expect 3 "cannot write '$folder/kept.mp4'" render "$walk" --to 1 --output "$folder/kept.mp4"
    grep -qx before "$folder/kept.mp4" || fail 'a film was replaced by nothing'
    # An ffmpeg that ends at once, and one that fails with a reason.
    mkdir "$folder/bin"
    printf '#!/bin/sh\n[ "$1" != -version ] || exit 0\necho "no such luck" >&2\nexit 1\n' \
        >"$folder/bin/ffmpeg"
    chmod +x "$folder/bin/ffmpeg"
    throng=env
    expect 3 'ffmpeg failed: no such luck' PATH="$folder/bin:$PATH" "$program" render "$walk" \
        --output "$folder/x.mp4"
    throng=$program
    [ ! -e "$folder/x.mp4" ] && [ ! -e "$folder/x.mp4.part" ] || fail 'half a film is left'
else
    echo 'films are not tested: no ffmpeg here'
fi

# Doors have a colour of their own: a line when shut, dashed when open or when both are shown. Also
# one that is shut at first, before it has ever moved; and as a recording the same. Each picture
# has two more lines that explain them, of a span one.
cat >"$folder/door.json" <<'TEXT'
{
  "throng": 1,
  "time": {"end": {"at": 6}},
  "walls": [
    {"room": [[0, 0], [20, 0], [20, 10], [0, 10]]},
    {"polyline": [[10, 0], [10, 4]]},
    {"polyline": [[10, 6], [10, 10]]}
  ],
  "doors": [{"segment": [[10, 4], [10, 6]], "open": [[2, 4]]}],
  "movers": [{"disc": 0.5, "path": [[15, 2], [15, 8]], "speed": 1}],
  "goals": {"east": {"point": [18, 5]}},
  "agents": [{"at": [2, 5], "goal": "east"}]
}
TEXT
"$throng" run "$folder/door.json" --record "$folder/door.thlog" --quiet
doorColour='stroke[:=]"\{0,1\}rgb(78%, \{0,1\}16%, \{0,1\}40%)'
# doorLines FILE SHUT DASHED OPTIONS...: how many lines there are of doors.
doorLines() {
    file=$1
    shut=$2
    dashed=$3
    shift 3
    expect 0 '' render "$file" --quiet --output "$folder/door.svg" "$@"
    found=$(grep "$doorColour" "$folder/door.svg" | grep -vc dasharray)
    [ "$found" -eq "$shut" ] || fail "$file $*: $found lines of shut doors, expected $shut"
    found=$(grep "$doorColour" "$folder/door.svg" | grep -c dasharray)
    [ "$found" -eq "$dashed" ] || fail "$file $*: $found dashed lines, expected $dashed"
}
for file in "$folder/door.json" "$folder/door.thlog"; do
    doorLines "$file" 2 1 --at 0
    doorLines "$file" 2 1 --at 1
    doorLines "$file" 1 2 --at 3
    doorLines "$file" 2 1 --at 5
    doorLines "$file" 0 2 --as paths
    doorLines "$file" 0 2 --as density
    doorLines "$file" 3 2 --as lapse --moments 3 # at 0, 3 and 6 s
done
doorLines "$folder/door.json" 2 1 --at 1 --plan-of 1
doorLines "$folder/door.json" 1 2 --at 3 --plan-of 1
# One that is open until then has not come or gone yet.
sed 's/\[2, 4\]/[0, 4]/' "$folder/door.json" >"$folder/later.json"
doorLines "$folder/later.json" 1 2 --at 2
doorLines "$walk" 0 0 --at 1

# The same picture is the same file, whenever it is drawn.
for suffix in png svg pdf; do
    expect 0 '' render "$walk" --quiet --at 1 --output "$folder/first.$suffix"
done
sleep 1.1
for suffix in png svg pdf; do
    expect 0 '' render "$walk" --quiet --at 1 --output "$folder/second.$suffix"
    cmp "$folder/first.$suffix" "$folder/second.$suffix" || fail "a .$suffix tells the time"
done

finish
