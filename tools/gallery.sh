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
    file=$pictures/$name.png
    if ! timeout "$longest" "$program" render "$scene" "$@" --width 800 --quiet --output "$file"; then
        echo "gallery: no picture of $scene $*" >&2
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

TEXT

# In the order of the list; the million would take minutes, and look like the hundred thousand.
"$program" list --names | while read -r scene; do
    [ "$scene" != random-1m ] || continue
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
    circle-2 | circle-3 | circle-10) show $scene --as paths ;;
    circle-50) show $scene --as lapse --to 30 ;;
    circle-250) show $scene --as lapse --to 60 ;;
    circle-1k) show $scene --as lapse --to 150 ;;
    corridor) show $scene --as lapse --moments 4 --to 60 ;;
    crossing) show $scene --as paths --colour speed ;;
    doorway) show $scene --at 20 ;;
    evacuation)
        show $scene --at 30
        show $scene --as arrivals
        ;;
    random-100k) show $scene --as density --smooth 3 --to 2 ;;
    random-10k) show $scene --as density --smooth 1 ;;
    random-1k) show $scene --at 5 --trails 2 ;;
    station-hall)
        show $scene --at 30
        show $scene --as density
        show $scene --as arrivals
        ;;
    streams-4) show $scene --as lapse --moments 4 --to 90 ;;
    *) show $scene ;;
    esac
done
mv "$page.part" "$page"
echo "$page: $(ls "$pictures" | wc -l) pictures, $(du -k "$pictures" | cut -f 1) kB"
