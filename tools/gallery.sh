#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Draws the scenes that come with the program, and writes the page that shows them: docs/gallery.md
# and docs/gallery/*.png. Usage: tools/gallery.sh [PROGRAM]   (default build/throng)
set -eu

cd "$(dirname "$0")/.."
program=${1-build/throng}
pictures=docs/gallery
page=docs/gallery.md
longest=120 # seconds that a picture may take; one that takes longer is left out
mkdir -p "$pictures"
rm -f "$pictures"/*.png

# show SCENE OPTIONS...: draws a picture, and the page says how.
show() {
    scene=$1
    shift
    name=$scene
    [ "${1-}" != --as ] || name=$scene-$2
    case " $* " in *" --plan-of "*) name=$scene-plan ;; esac
    file=$pictures/$name.png
    if ! timeout "$longest" "$program" render "$scene" "$@" --width 800 --quiet --output "$file"; then
        echo "gallery: no picture of $scene $*" >&2
        rm -f "$file"
        return
    fi
    {
        echo "![$scene](gallery/$name.png)"
        echo
        echo "\`throng render $scene${*:+ $*} --width 800\`"
        echo
    } >>"$page.part"
}

cat >"$page.part" <<'TEXT'
# Gallery

The scenes that come with the program, as `throng render` draws them. `make gallery` draws them again and
writes this page. Coloured are the goals that people head for; where there are many, where they started.
With `--plan-of` it is [what an agent plans with](program.md#what-an-agent-plans-with).

TEXT

# In the order of the list, without those that would take minutes and look like smaller ones.
"$program" list --names | while read -r scene; do
    case $scene in
    random-1m | evacuation-1000 | evacuation-10000 | evacuation-20000 | city-100k | city-250k | city-1m) continue ;;
    circle-1k-large | cross-800 | inflow | narrow-straight | evacuation-*-rvo) continue ;;
    back-forth-[1-79]0 | back-forth-100) continue ;;
    esac
    {
        echo "## $scene"
        echo
        sed -n 's/^ *"about": "\(.*\)",$/\1/p' "scenes/$scene.json" | head -n 1
        echo
    } >>"$page.part"
    case $scene in
    back-forth-80) show $scene --at 12 ;;
    blocks) show $scene --as paths ;;
    bottleneck)
        show $scene --at 20
        show $scene --as density
        ;;
    bottleneck-300)
        show $scene --at 15 --trails 0 --colour speed
        cat >>"$page.part" <<'TEXT'
### Real people

The scene has the room of an experiment with real people (`ao-300.txt` and its walls, `ao-300_geo.xml`, of the
[Pedestrian Dynamics Data Archive](https://ped.fz-juelich.de/da) in Jülich), as many people, and as many of them
at the beginning; the others come in from the left, from the right and from below, where the camera's view
ends. `tools/compare_bottleneck.sh FOLDER` measures and draws both, with commands such as

```sh
throng render ao-300.txt --geometry ao-300_geo.xml --scene bottleneck-300 --with bottleneck-300 --as flow
```

| | real | ours |
|---|---|---|
| people | 348 | 348 |
| flow [1/s] | 6.69 | 10.6 |
| flow of the middle 80 % [1/s] | 7.16 | 12.3 |
| specific flow [1/(m s)] | 2.23 | 3.54 |
| density in the gap [1/m²] | 2.8 | 2.99 |
| speed in the gap [m/s] | 0.773 | 1.14 |
| density in front of it [1/m²] | 4.25 | 3.6 |
| speed in front of it [m/s] | 0.433 | 0.859 |

Densities and speeds are Voronoi ones, means over frames with somebody in the area. Ours get through faster by
more than half: the density in the gap is about right, but there, and still more in front of it, they walk much
faster than real people who are as near to each other. `orca` slows down for those it would run into, not
because it is narrow.

TEXT
        ;;
    circle-2 | circle-3 | circle-10) show $scene --as paths ;;
    circle-50) show $scene --as lapse --to 30 ;;
    circle-250)
        show $scene --as lapse --to 60
        show $scene --set profiles.walker.avoid=clearpath --at 30 --trails 3
        ;;
    circle-1k) show $scene --as lapse --to 150 ;;
    corridor) show $scene --as lapse --moments 4 --to 60 ;;
    crossing) show $scene --as paths --colour speed ;;
    doorway | exit-gate) show $scene --at 20 ;;
    vehicles) show $scene --at 9 ;;
    corner | cross-200 | queues-crossing) show $scene --at 25 --trails 2 ;;
    simple | car | robots | circle-32) show $scene --as paths ;;
    stadium-245) show $scene --at 60 --trails 2 ;;
    crosswalk-400) show $scene --at 60 --trails 2 ;;
    narrow) show $scene --at 60 --trails 2 ;;
    narrow-* | standing-group | u-trap) show $scene --as paths ;;
    one-goal) show $scene --at 10 --trails 2 ;;
    two-exits) show $scene --at 20 --trails 2 ;;
    evacuation)
        show $scene --at 30
        show $scene --as arrivals
        show $scene --at 5 --set profiles.walker.plan=flow --plan-of -18,-12
        ;;
    evacuation-500)
        show $scene --at 40
        show $scene --at 3 --plan-of 63,3
        ;;
    evacuation-5000) show $scene --at 40 ;;
    flock-15k) show $scene --at 60 --trails 3 ;;
    city-10k)
        show $scene --at 10
        show $scene --at 20 --plan-of 7
        ;;
    random-100k) show $scene --as density --smooth 3 --to 2 ;;
    random-10k) show $scene --as density --smooth 2 ;;
    random-1k) show $scene --at 5 --trails 1 ;;
    station-hall)
        show $scene --at 30
        show $scene --as density
        show $scene --as arrivals
        show $scene --at 5 --plan-of 23,30
        ;;
    stadium-25k) show $scene --at 15 --trails 0 ;;
    station)
        show $scene --at 75 --trails 2
        show $scene --as density
        show $scene --as arrivals
        ;;
    streams-4)
        show $scene --as lapse --moments 4 --to 90
        show $scene --set profiles.walker.avoid=clearpath --at 55
        ;;
    *) show $scene ;;
    esac
done
mv "$page.part" "$page"
echo "$page: $(ls "$pictures" | wc -l) pictures, $(du -k "$pictures" | cut -f 1) kB"
